package io.weft.backend.rdma;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the kernel shows of RDMA devices as files. A device without a PCI address (Soft-RoCE) has an empty one.
 *
 * <p>Immutable; safe from any thread.
 *
 * @param root usually {@code /}
 */
record Sysfs(Path root) {
    private static final Pattern PCI = Pattern.compile("[0-9a-f]{4,}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7]");

    /** Names of the kernel's RDMA devices, in order; empty if the kernel has no RDMA. */
    List<String> devices() {
        try (Stream<Path> entries = Files.list(root.resolve("sys/class/infiniband"))) {
            return entries.map(path -> path.getFileName().toString()).sorted().toList();
        } catch (IOException noSuchClass) {
            return List.of();
        }
    }

    /** The PCI address in lower case, empty for devices without one. */
    String pciAddress(String device) {
        try {
            String name = root.resolve("sys/class/infiniband/" + device + "/device")
                    .toRealPath()
                    .getFileName()
                    .toString();
            return PCI.matcher(name).matches() ? name : "";
        } catch (IOException noPhysicalDevice) {
            return "";
        }
    }

    /** Where an RDMA device hangs. */
    Locality locality(String device) {
        return localityOf("sys/class/infiniband/" + device + "/device", numaNode(device));
    }

    /** Where a PCI device hangs; unknown if there is none. */
    Locality localityOfPci(String address) {
        String path = "sys/bus/pci/devices/" + address.toLowerCase(Locale.ROOT);
        return localityOf(path, number(path + "/numa_node"));
    }

    private Locality localityOf(String path, int numa) {
        try {
            List<String> pci = new ArrayList<>();
            for (Path part : root.resolve(path).toRealPath()) {
                String name = part.toString();
                if (PCI.matcher(name).matches() || name.startsWith("pci")) {
                    pci.add(name);
                }
            }
            return new Locality(pci, numa);
        } catch (IOException noPhysicalDevice) {
            return new Locality(List.of(), numa);
        }
    }

    /** The NUMA node, -1 if unknown. */
    int numaNode(String device) {
        return number("sys/class/infiniband/" + device + "/device/numa_node");
    }

    private int number(String path) {
        String text = read(path);
        try {
            return text.isEmpty() ? -1 : Integer.parseInt(text);
        } catch (NumberFormatException unexpected) {
            return -1;
        }
    }

    /** The type of a GID as the kernel names it, such as {@code RoCE v2}; empty for an empty entry. */
    String gidType(String device, int port, int index) {
        return read("sys/class/infiniband/" + device + "/ports/" + port + "/gid_attrs/types/" + index);
    }

    /** The uverbs files that exist, each with whether this process may read and write it. */
    List<String> uverbsFiles() {
        try (Stream<Path> entries = Files.list(root.resolve("dev/infiniband"))) {
            return entries.filter(path -> path.getFileName().toString().startsWith("uverbs"))
                    .sorted()
                    .map(path -> path
                            + (Files.isReadable(path) && Files.isWritable(path)
                                    ? ": readable and writable"
                                    : ": not readable and writable for this user"))
                    .toList();
        } catch (IOException absent) {
            return List.of();
        }
    }

    /** The soft limit of pinned memory in bytes, -1 for unlimited or unknown. */
    long lockedMemoryLimit() {
        try (Stream<String> lines = Files.lines(root.resolve("proc/self/limits"))) {
            return lines.filter(line -> line.startsWith("Max locked memory"))
                    .map(line ->
                            line.substring("Max locked memory".length()).trim().split("\\s+")[0])
                    .filter(soft -> !soft.equals("unlimited"))
                    .mapToLong(Long::parseLong)
                    .findFirst()
                    .orElse(-1);
        } catch (IOException | NumberFormatException unknown) {
            return -1;
        }
    }

    private String read(String path) {
        try {
            return Files.readString(root.resolve(path)).trim();
        } catch (IOException absentOrEmptyEntry) {
            return "";
        }
    }
}
