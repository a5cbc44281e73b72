package io.weft.cli.doctor;

import java.util.ArrayList;
import java.util.List;

/** Network interfaces and what the kernel does with TCP. */
record NetworkCheck() implements Check {
    private static final String CLASS = "/sys/class/net";
    private static final long FAST_MBIT = 10_000;
    private static final long JUMBO = 8_900;
    private static final long BUFFER = 16L << 20;

    @Override
    public List<Finding> run(Host host) {
        List<Finding> findings = new ArrayList<>();
        for (String name : host.list(CLASS)) {
            if (!name.equals("lo")
                    && !host.read(CLASS + "/" + name + "/operstate")
                            .orElse("down")
                            .equals("down")) {
                findings.add(nic(host, name));
            }
        }
        if (findings.isEmpty()) {
            findings.add(Finding.warning(
                    "network",
                    "no network interface but loopback is up",
                    "peers on other hosts are out" + " of reach; in a container join a network"));
        }
        String control = host.read("/proc/sys/net/ipv4/tcp_congestion_control").orElse("unknown");
        findings.add(Finding.ok("tcp", "congestion control is " + control));
        buffers(host, findings);
        return findings;
    }

    private static Finding nic(Host host, String name) {
        String path = CLASS + "/" + name;
        long mtu = host.number(path + "/mtu").orElse(0L);
        long mbit = host.number(path + "/speed").orElse(0L);
        String found = name + ": MTU " + mtu + ", " + (mbit > 0 ? mbit + " Mbit/s" : "unknown speed") + ", NUMA node "
                + host.read(path + "/device/numa_node").orElse("unknown");
        return mbit >= FAST_MBIT && mtu < JUMBO
                ? Finding.warning(
                        "network",
                        found,
                        "a fast link with small frames costs processor time: ip link set " + name
                                + " mtu 9000, if every switch on the way allows it")
                : Finding.ok("network", found);
    }

    private static void buffers(Host host, List<Finding> findings) {
        for (String kind : List.of("rmem_max", "wmem_max")) {
            host.number("/proc/sys/net/core/" + kind).ifPresent(bytes -> {
                String found = "net.core." + kind + " is " + Sizes.text(bytes);
                findings.add(
                        bytes >= BUFFER
                                ? Finding.ok("tcp", found)
                                : Finding.warning(
                                        "tcp",
                                        found + ", which caps socket buffers that are set by hand",
                                        "leave weft.backend.tcp.send-buffer and receive-buffer at 0, or: sysctl -w net.core."
                                                + kind + "=" + BUFFER));
            });
        }
    }
}
