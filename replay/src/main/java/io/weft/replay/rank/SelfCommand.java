package io.weft.replay.rank;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line that starts another {@code weft} with this one's JDK, class path or module path, and native access. */
public final class SelfCommand {
    private SelfCommand() {}

    /**
     * Builds a command line.
     *
     * @param mainModule module of the command, used when this JVM runs from a module path
     * @param mainClass class of the command
     * @param jvmOptions options for the child's JVM
     * @param arguments arguments of the command
     * @return a command for {@link ProcessBuilder}
     */
    public static List<String> of(
            String mainModule, String mainClass, List<String> jvmOptions, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        for (String own : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (own.startsWith("--enable-native-access=") || own.startsWith("--add-modules=")) {
                command.add(own);
            }
        }
        String modulePath = System.getProperty("jdk.module.path");
        if (modulePath != null && System.getProperty("jdk.module.main") != null) {
            command.addAll(List.of("--module-path", modulePath, "--module", mainModule + "/" + mainClass));
        } else {
            command.addAll(List.of("--class-path", System.getProperty("java.class.path"), mainClass));
        }
        command.addAll(arguments);
        return command;
    }
}
