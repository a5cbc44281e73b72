package io.weft.replay.rank;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line that starts another {@code weft} with this one's JDK, class path or module path. */
public final class SelfCommand {
    private SelfCommand() {}

    /**
     * Builds a command line.
     *
     * @param mainModule module and class of the command, used when this JVM runs from a module path
     * @param mainClass class of the command, used otherwise
     * @param jvmOptions options for the child's JVM
     * @param arguments arguments of the command
     * @return a command for {@link ProcessBuilder}
     */
    public static List<String> of(
            String mainModule, String mainClass, List<String> jvmOptions, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        String modulePath = System.getProperty("jdk.module.path");
        if (modulePath != null && System.getProperty("jdk.module.main") != null) {
            command.addAll(List.of("--module-path", modulePath, "--enable-native-access=ALL-MODULE-PATH"));
            command.addAll(List.of("--module", mainModule + "/" + mainClass));
        } else {
            command.addAll(List.of("--class-path", System.getProperty("java.class.path")));
            command.addAll(List.of("--enable-native-access=ALL-UNNAMED", mainClass));
        }
        command.addAll(arguments);
        return command;
    }
}
