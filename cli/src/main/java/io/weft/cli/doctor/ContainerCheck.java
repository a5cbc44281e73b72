package io.weft.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether this is a container, and what that keeps apart.
 *
 * @param advertised the option {@code weft.advertise.host}
 */
record ContainerCheck(String advertised) implements Check {
    @Override
    public List<Finding> run(Host host) {
        List<Finding> findings = new ArrayList<>();
        boolean isContainer = host.exists("/.dockerenv")
                || host.exists("/run/.containerenv")
                || host.read("/proc/1/cgroup").orElse("").matches("(?s).*(docker|kubepods|containerd|lxc).*");
        if (!isContainer) {
            findings.add(Finding.ok("container", "no sign of a container"));
        } else if (advertised.isEmpty()) {
            findings.add(Finding.warning(
                    "container",
                    "this is a container; its addresses may mean nothing outside",
                    "use the host's network, or set weft.advertise.host to an address that peers can dial"));
        } else {
            findings.add(Finding.ok("container", "this is a container; peers are told to dial " + advertised));
        }
        findings.add(Finding.ok(
                "container",
                "namespaces: network " + namespace(host, "net") + ", process ids " + namespace(host, "pid") + ", IPC "
                        + namespace(host, "ipc")));
        findings.add(ptrace(host));
        return findings;
    }

    /** Its number; two processes share what has one number. */
    private static String namespace(Host host, String kind) {
        try {
            return Files.readSymbolicLink(host.path("/proc/self/ns/" + kind)).toString();
        } catch (IOException e) {
            return "unknown";
        }
    }

    private static Finding ptrace(Host host) {
        long scope = host.number("/proc/sys/kernel/yama/ptrace_scope").orElse(0L);
        String found = "ptrace scope is " + scope;
        return scope == 0
                ? Finding.ok("ptrace", found)
                : Finding.warning(
                        "ptrace",
                        found + ": processes may not copy from each other's memory",
                        "only libfabric's shm provider needs it: sysctl -w kernel.yama.ptrace_scope=0");
    }
}
