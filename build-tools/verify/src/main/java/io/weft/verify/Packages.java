package io.weft.verify;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The Debian packages that parts need. */
final class Packages {

    private final Shell shell;

    Packages(Shell shell) {
        this.shell = shell;
    }

    /** Those of {@code wanted} that are not installed; all of them where there is no dpkg to ask. */
    Set<String> missing(Collection<String> wanted) throws IOException, InterruptedException {
        Set<String> missing = new TreeSet<>();
        for (String name : new TreeSet<>(wanted)) {
            Shell.Result asked = shell.capture(List.of("dpkg-query", "-W", "-f", "${Status}", name));
            if (!asked.output().strip().equals("install ok installed")) {
                missing.add(name);
            }
        }
        return missing;
    }

    /** The command that a person types to install {@code names}. */
    static String command(Collection<String> names) {
        return "sudo apt-get install -y --no-install-recommends " + String.join(" ", names);
    }

    /** Installs {@code names}, without a question; the output goes to {@code log}. False if that failed. */
    boolean install(Collection<String> names, Path log) throws IOException, InterruptedException {
        Files.createDirectories(log.getParent());
        List<String> prefix = new ArrayList<>();
        if (!System.getProperty("user.name").equals("root")) {
            prefix.addAll(List.of("sudo", "-n"));
        }
        prefix.addAll(List.of("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q"));
        List<String> install = new ArrayList<>(prefix);
        install.addAll(List.of("install", "-y", "--no-install-recommends"));
        install.addAll(names);
        // Stale package lists are the usual reason for a failure, and renewing them costs time: only then.
        return shell.run(install, log, Duration.ofMinutes(10)).succeeded()
                || (shell.run(with(prefix, "update"), log, Duration.ofMinutes(5))
                                .succeeded()
                        && shell.run(install, log, Duration.ofMinutes(10)).succeeded());
    }

    private static List<String> with(List<String> prefix, String last) {
        List<String> all = new ArrayList<>(prefix);
        all.add(last);
        return all;
    }
}
