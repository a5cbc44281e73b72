package io.weft.tck.report;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What a certificate says of kit and machine. */
final class Versions {
    private Versions() {}

    static String ofKit() {
        var descriptor = Versions.class.getModule().getDescriptor();
        return Optional.ofNullable(descriptor)
                .flatMap(d -> d.rawVersion())
                .or(() -> Optional.ofNullable(Versions.class.getPackage().getImplementationVersion()))
                .orElse("development");
    }

    static Map<String, String> platform() {
        Map<String, String> platform = new LinkedHashMap<>();
        platform.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        platform.put("arch", System.getProperty("os.arch"));
        platform.put("jvm", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        platform.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
        return platform;
    }
}
