package io.weft.cli.doctor;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** RDMA devices, their ports and addresses, and whether this process may open them. */
record RdmaCheck() implements Check {
    private static final String CLASS = "/sys/class/infiniband";
    private static final String NO_GID = "0000:0000:0000:0000:0000:0000:0000:0000";

    @Override
    public List<Finding> run(Host host) {
        List<String> devices = host.list(CLASS);
        if (devices.isEmpty()) {
            return List.of(Finding.ok("rdma", "this host has no RDMA device (" + CLASS + " is empty)"));
        }
        List<Finding> findings = new ArrayList<>(openable(host));
        for (String device : devices) {
            for (String port : host.list(CLASS + "/" + device + "/ports")) {
                findings.add(port(host, device, port));
            }
        }
        return findings;
    }

    private static List<Finding> openable(Host host) {
        List<String> nodes = host.list("/dev/infiniband").stream()
                .filter(name -> name.startsWith("uverbs"))
                .toList();
        if (nodes.isEmpty()) {
            return List.of(Finding.problem(
                    "rdma",
                    "the kernel has RDMA devices, but /dev/infiniband/uverbs* is missing here",
                    "load ib_uverbs; in a container pass --device=/dev/infiniband, in Kubernetes request the device plugin's"
                            + " resource"));
        }
        return nodes.stream()
                .map(name -> "/dev/infiniband/" + name)
                .map(node -> Files.isReadable(host.path(node)) && Files.isWritable(host.path(node))
                        ? Finding.ok("rdma", node + " can be opened")
                        : Finding.problem(
                                "rdma", "no permission to open " + node, "add the user to the group that owns " + node))
                .toList();
    }

    private static Finding port(Host host, String device, String port) {
        String path = CLASS + "/" + device + "/ports/" + port;
        String state = host.read(path + "/state").orElse("unknown");
        boolean isEthernet = host.read(path + "/link_layer").orElse("").equals("Ethernet");
        List<String> gids = new ArrayList<>();
        boolean hasVersion2 = false;
        for (String index : host.list(path + "/gids")) {
            String gid = host.read(path + "/gids/" + index).orElse(NO_GID);
            if (!gid.equals(NO_GID)) {
                String type = host.read(path + "/gid_attrs/types/" + index).orElse("");
                hasVersion2 |= type.contains("v2");
                gids.add(index + "=" + gid + (type.isEmpty() ? "" : " " + type));
            }
        }
        String found = device + " port " + port + ": " + state + ", "
                + host.read(path + "/link_layer").orElse("unknown link") + ", "
                + host.read(path + "/rate").orElse("unknown rate") + ", NUMA node "
                + host.read(CLASS + "/" + device + "/device/numa_node").orElse("unknown") + ", GIDs " + gids;
        if (!state.contains("ACTIVE")) {
            return Finding.warning("rdma", found, "plug the cable or bring the interface up: ip link set DEV up");
        }
        return isEthernet && !hasVersion2
                ? Finding.warning(
                        "rdma",
                        found,
                        "no RoCE v2 address: give the network interface an IP address and enable RoCE v2")
                : Finding.ok("rdma", found);
    }
}
