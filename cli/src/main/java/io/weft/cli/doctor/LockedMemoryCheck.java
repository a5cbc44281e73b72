package io.weft.cli.doctor;

import java.util.List;

/**
 * How much memory may be locked, which is what registering with an RDMA device does, against what is going to be registered.
 *
 * @param plannedBytes the option {@code weft.memory.planned}, 0 if nobody said
 */
record LockedMemoryCheck(long plannedBytes) implements Check {
    /** Bit of CAP_IPC_LOCK, which lifts the limit. */
    private static final int IPC_LOCK = 14;
    /** Less is a default of distributions, not a choice, and too little for any KV cache. */
    private static final long CHOSEN = 1L << 30;

    private static final String RAISE =
            "raise it: memlock in /etc/security/limits.conf, LimitMEMLOCK=infinity in a systemd unit,"
                    + " --ulimit memlock=-1 for docker";

    @Override
    public List<Finding> run(Host host) {
        long limit = limit(host);
        String found = "memlock is " + Sizes.text(limit);
        if (hasCapability(host)) {
            return List.of(Finding.ok("memlock", found + ", and CAP_IPC_LOCK lifts it"));
        }
        if (plannedBytes > limit) {
            return List.of(Finding.problem(
                    "memlock",
                    found + ", but weft.memory.planned says that " + Sizes.text(plannedBytes)
                            + " are going to be registered; RDMA registration will fail",
                    RAISE));
        }
        if (plannedBytes == 0 && limit < CHOSEN) {
            return List.of(Finding.warning(
                    "memlock",
                    found + "; RDMA registration of more will fail",
                    RAISE + "; set weft.memory.planned to have it judged"));
        }
        return List.of(Finding.ok("memlock", found));
    }

    private static long limit(Host host) {
        return host.labelled("/proc/self/limits", "Max locked memory")
                .map(line -> line.split("\\s+")[0])
                .filter(soft -> soft.matches("[0-9]+"))
                .map(Long::parseLong)
                .orElse(Sizes.UNLIMITED);
    }

    private static boolean hasCapability(Host host) {
        return host.labelled("/proc/self/status", "CapEff:")
                .map(hex -> (Long.parseUnsignedLong(hex, 16) >>> IPC_LOCK & 1) == 1)
                .orElse(false);
    }
}
