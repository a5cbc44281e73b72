package io.weft.cli.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** What has to be told with every figure. */
public final class HostFacts {
    private HostFacts() {}

    /**
     * Looks at this host and this JVM.
     *
     * @return names and values, in order
     */
    public static Map<String, Object> look() {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("machine", cpu() + ", " + Runtime.getRuntime().availableProcessors() + " processors");
        facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("congestionControl", file("/proc/sys/net/ipv4/tcp_congestion_control"));
        facts.put("jdk", System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
        facts.put("load", ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
        return facts;
    }

    private static String cpu() {
        try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .findFirst()
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException notLinux) {
            return System.getProperty("os.arch");
        }
    }

    private static String file(String path) {
        try {
            return Files.readString(Path.of(path)).strip();
        } catch (IOException notLinux) {
            return "unknown";
        }
    }
}
