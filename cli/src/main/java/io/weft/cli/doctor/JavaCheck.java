package io.weft.cli.doctor;

import java.util.ArrayList;
import java.util.List;

/** The virtual machine and its leave to call native code. */
record JavaCheck(Module nativeSupport) implements Check {
    private static final int NEEDED = 25;

    @Override
    public List<Finding> run(Host host) {
        List<Finding> findings = new ArrayList<>();
        String running = "Java " + Runtime.version() + " of " + System.getProperty("java.vendor") + " in "
                + System.getProperty("java.home");
        findings.add(
                Runtime.version().feature() >= NEEDED
                        ? Finding.ok("java", running)
                        : Finding.problem("java", running, "Weft needs Java " + NEEDED + " or newer"));
        String name = nativeSupport.isNamed() ? nativeSupport.getName() : "the class path";
        findings.add(
                nativeSupport.isNativeAccessEnabled()
                        ? Finding.ok("java", "native access is enabled for " + name)
                        : Finding.warning(
                                "java",
                                "native access is not enabled for " + name + "; Java warns now and will refuse later",
                                "start with --enable-native-access="
                                        + (nativeSupport.isNamed()
                                                ? "io.weft.ffi,io.weft.backend.rdma,io.weft.backend.libfabric"
                                                : "ALL-UNNAMED")));
        return findings;
    }
}
