package io.weft.cli;

import java.lang.module.ModuleDescriptor;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** Entry point of the {@code weft} command. */
@Command(
        name = "weft",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        description = "Carries KV-cache pages between inference engines over pluggable fabrics.")
public final class Main implements Runnable {

    private Main() {}

    /**
     * Runs the command and ends the process with its exit code: 0 done, 1 the work failed, 2 bad usage.
     *
     * @param args the command line
     */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }

    @Override
    public void run() {
        new CommandLine(this).usage(System.out);
    }

    /** The version that the build wrote into the module descriptor or, on the class path, into the manifest. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Optional.ofNullable(Main.class.getModule().getDescriptor())
                    .flatMap(ModuleDescriptor::rawVersion)
                    .or(() -> Optional.ofNullable(Main.class.getPackage().getImplementationVersion()))
                    .orElse("development");
            return new String[] {"weft " + version};
        }
    }
}
