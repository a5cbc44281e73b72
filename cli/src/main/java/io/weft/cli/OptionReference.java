package io.weft.cli;

import io.weft.config.KnownOption;
import io.weft.config.OptionCatalogue;
import io.weft.config.OptionGroup;

/** Writes the reference page of the options from the options themselves. */
final class OptionReference {
    private static final String HEAD = """
            # Configuration

            <!-- Written by `weft options --markdown`; a test holds the two equal. -->

            A value is taken from the first of these places that has one:

            1. the program, through the builder;
            2. the command line: `--set KEY=VALUE`;
            3. a system property: `-Dweft.transfer.deadline=10s`;
            4. the environment: the key in upper case with `.` and `-` as `_`, such as `WEFT_TRANSFER_DEADLINE`;
            5. an environment variable of SGLang or MORI-IO, where the tables below name one;
            6. the file: `--config FILE`, `WEFT_CONFIG` or `./weft.conf`, in HOCON: `weft.transfer.deadline = 10s`;
            7. the default.

            `weft options --effective` shows the values in force and where each comes from. A name that does not exist, a value
            of the wrong type or out of range is an error; all errors are told at once. An empty environment variable counts as
            not set.

            Durations are written with a unit: `ns`, `us`, `ms`, `s`, `m`, `h`; sizes with `B`, `KiB`, `MiB`, `GiB`; lists with
            commas. Variables of SGLang and MORI-IO are read in their own units, which their names and documents give. Where
            one of their values would switch a deadline off, the default stays and a warning tells.

            A secret is given by the environment or by a file, never on the command line, and is never shown.
            """;

    private OptionReference() {}

    static String markdown(OptionCatalogue catalogue) {
        StringBuilder page = new StringBuilder(HEAD);
        for (OptionGroup group : catalogue.groups()) {
            if (!group.options().isEmpty()) {
                page.append("\n## `")
                        .append(group.name())
                        .append("`: ")
                        .append(group.title())
                        .append("\n\n");
                page.append("| key | default | allowed | what it does |\n|---|---|---|---|\n");
                catalogue.options().stream()
                        .filter(option -> option.group().equals(group))
                        .forEach(option -> page.append(row(option)));
            }
        }
        return page.toString();
    }

    private static String row(KnownOption option) {
        String initial = option.spec().defaultValue();
        StringBuilder text = new StringBuilder(option.spec().text());
        if (!option.spec().aliases().isEmpty()) {
            text.append(" Also set by `")
                    .append(String.join("`, `", option.spec().aliases()))
                    .append("`.");
        }
        return "| `" + option.key() + "` | " + (initial.isEmpty() ? "" : "`" + initial + "`") + " | "
                + cell(option.allowed()) + " | " + cell(text.toString()) + " |\n";
    }

    private static String cell(String text) {
        return text.replace("|", "\\|");
    }
}
