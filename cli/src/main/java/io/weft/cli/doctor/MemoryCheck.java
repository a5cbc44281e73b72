package io.weft.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Huge pages, shared memory, the host's memory and the container's share of it.
 *
 * @param plannedBytes the option {@code weft.memory.planned}, 0 if nobody said
 */
record MemoryCheck(long plannedBytes) implements Check {
    private static final long SMALL_SHM = 1L << 30;

    @Override
    public List<Finding> run(Host host) {
        List<Finding> findings = new ArrayList<>();
        findings.add(hugePages(host));
        findings.add(sharedMemory(host));
        total(host).ifPresent(findings::add);
        cgroup(host).ifPresent(findings::add);
        return findings;
    }

    private static Finding hugePages(Host host) {
        String reserved = host.labelled("/proc/meminfo", "HugePages_Total:").orElse("unknown");
        String size = host.labelled("/proc/meminfo", "Hugepagesize:").orElse("unknown size");
        String transparent =
                host.read("/sys/kernel/mm/transparent_hugepage/enabled").orElse("unknown");
        String found = reserved + " huge pages of " + size + " are reserved; transparent ones: " + transparent;
        return transparent.contains("[never]") && reserved.equals("0")
                ? Finding.warning(
                        "hugepages",
                        found,
                        "large host buffers go faster over huge pages: echo madvise >"
                                + " /sys/kernel/mm/transparent_hugepage/enabled, or reserve some by vm.nr_hugepages")
                : Finding.ok("hugepages", found);
    }

    private static Finding sharedMemory(Host host) {
        if (!host.exists("/dev/shm")) {
            return Finding.warning(
                    "shm", "/dev/shm is missing", "mount a tmpfs there; libfabric's shm provider needs it");
        }
        try {
            long bytes = Files.getFileStore(host.path("/dev/shm")).getTotalSpace();
            String found = "/dev/shm has " + Sizes.text(bytes);
            return bytes < SMALL_SHM
                    ? Finding.warning(
                            "shm",
                            found + ", little for processes that share memory",
                            "--shm-size=8g for docker, an emptyDir with medium Memory for Kubernetes")
                    : Finding.ok("shm", found);
        } catch (IOException e) {
            return Finding.warning("shm", "the size of /dev/shm cannot be read: " + e.getMessage(), "");
        }
    }

    private Optional<Finding> total(Host host) {
        return host.labelled("/proc/meminfo", "MemTotal:")
                .map(text -> text.replace(" kB", ""))
                .filter(text -> text.matches("[0-9]+"))
                .map(kib -> judged(
                        "this host has " + Sizes.text(Long.parseLong(kib) << 10),
                        Long.parseLong(kib) << 10,
                        "plan less, or take a host with more memory"));
    }

    private Optional<Finding> cgroup(Host host) {
        return host.number("/sys/fs/cgroup/memory.max")
                .map(limit -> judged(
                        "this control group may use " + Sizes.text(limit),
                        limit,
                        "raise the container's memory limit"));
    }

    private Finding judged(String found, long limit, String advice) {
        return plannedBytes > limit
                ? Finding.problem(
                        "memory", found + ", but weft.memory.planned says " + Sizes.text(plannedBytes), advice)
                : Finding.ok("memory", found);
    }
}
