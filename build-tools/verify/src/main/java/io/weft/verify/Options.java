package io.weft.verify;

import java.util.ArrayList;
import java.util.List;

/**
 * What the command line asks for.
 *
 * @param install whether missing packages are installed
 * @param skipsFail whether a part that is skipped for want of a package has failed
 * @param list whether the parts are listed rather than run
 * @param only the names of the parts to run; empty means all of the size
 */
record Options(Size size, boolean install, boolean skipsFail, boolean list, List<String> only) {

    static final String USAGE = """
            usage: ./weft verify [--ci | --full] [--install] [--list] [--only PART]...
              --ci       what CI runs, under 45 minutes (without: under 12 minutes)
              --full     the long ones too
              --install  installs missing Debian packages (with CI=true: always, and a skip for want of one fails)
              --list     says which parts there are
              --only     runs this part alone; may be repeated
            """;

    /** Throws IllegalArgumentException with the sentence for the user. */
    static Options parse(List<String> arguments, boolean ci) {
        Size size = Size.DEFAULT;
        boolean install = ci;
        boolean list = false;
        List<String> only = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            switch (arguments.get(i)) {
                case "--ci" -> size = chosen(size, Size.CI);
                case "--full" -> size = chosen(size, Size.FULL);
                case "--install" -> install = true;
                case "--list" -> list = true;
                case "--only" -> {
                    if (++i == arguments.size()) {
                        throw new IllegalArgumentException("--only needs the name of a part");
                    }
                    only.add(arguments.get(i));
                }
                default -> throw new IllegalArgumentException("unknown argument '" + arguments.get(i) + "'");
            }
        }
        return new Options(size, install, ci, list, List.copyOf(only));
    }

    private static Size chosen(Size before, Size now) {
        if (before != Size.DEFAULT && before != now) {
            throw new IllegalArgumentException("--ci and --full exclude each other");
        }
        return now;
    }
}
