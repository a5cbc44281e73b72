package io.weft.cli;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The command line that starts this same program once more. */
final class SelfCommand {
    private SelfCommand() {}

    /**
     * The JVM with its options and the main class; the command's own words are to be added.
     *
     * @param jvmOptions further options of the child's JVM, which win over this one's
     */
    static List<String> of(List<String> jvmOptions) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // The module path and what goes with it are among these.
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(jvmOptions);
        @Nullable String module = System.getProperty("jdk.module.main");
        if (module != null) {
            command.addAll(List.of("--module", module + "/" + Main.class.getName()));
        } else {
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        }
        return command;
    }
}
