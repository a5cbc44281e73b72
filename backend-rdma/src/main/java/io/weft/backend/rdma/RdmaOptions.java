package io.weft.backend.rdma;

import io.weft.spi.OptionSpec;
import io.weft.spi.OptionSpec.Type;
import java.util.List;

/** The options of this backend, as data. */
final class RdmaOptions {
    static final String LIBRARY = "library";
    static final String DEVICE = "device";
    static final String GID_INDEX = "gid-index";
    static final String QP_PER_PEER = "qp-per-peer";
    static final String DEPTH = "depth";
    static final String SEGMENTS = "segments";
    static final String SGES = "sges";
    static final String INLINE = "inline";
    static final String RELAXED_ORDERING = "relaxed-ordering";
    static final String NEAR = "near";
    static final String TIMEOUT = "timeout";
    static final String RETRIES = "retries";
    static final String TRAFFIC_CLASS = "traffic-class";
    static final String SERVICE_LEVEL = "service-level";

    static final String PLAIN_RECEIVES = "plain-receives";
    static final String PLAIN_ENDPOINTS = "plain-endpoints";

    static final List<OptionSpec> ALL = List.of(
            OptionSpec.of(
                    LIBRARY,
                    Type.STRING,
                    "",
                    "File or directory of libibverbs.so.1. Set it when the library is outside the system's search path; then no"
                            + " other place is tried."),
            OptionSpec.of(
                    DEVICE,
                    Type.STRING,
                    "",
                    "RDMA devices that may be used, such as mlx5_0,mlx5_1; with ^ in front all but those. The first of"
                            + " them that has an active port is."),
            OptionSpec.of(
                    NEAR,
                    Type.STRING,
                    "",
                    "What the device should be close to: the PCI address of a GPU, such as 0000:41:00.0, or numa:1. Devices behind"
                            + " the same PCIe switch come first, then those of the same NUMA node; without it the library's order"
                            + " counts."),
            OptionSpec.integer(
                    GID_INDEX,
                    -1,
                    -1,
                    255,
                    "Entry of the GID table. -1: the first RoCE v2 entry with an IPv4 address."),
            OptionSpec.integer(
                    QP_PER_PEER,
                    4,
                    1,
                    QpAddress.MOST_ENDS,
                    "Queue pairs to a Weft peer; operations take turns over them. A plain MORI-IO engine gets one."),
            OptionSpec.integer(DEPTH, 1024, 16, 32768, "Work requests that a queue pair to a peer holds."),
            OptionSpec.integer(
                    SEGMENTS, 256, 1, 8192, "Segments in one operation, which is one chain with one doorbell."),
            OptionSpec.integer(SGES, 4, 1, 32, "Scatter-gather entries of one work request."),
            OptionSpec.integer(
                    INLINE,
                    64,
                    0,
                    1024,
                    "Bytes up to which a single segment travels in the work request itself. Queue pairs do without where the device"
                            + " refuses so many."),
            OptionSpec.of(
                    RELAXED_ORDERING,
                    Type.BOOLEAN,
                    "false",
                    "Let the PCIe fabric reorder the NIC's accesses to registered memory, faster on some hosts. The read behind"
                            + " each write still brings its bytes into place before it succeeds."),
            OptionSpec.integer(
                    TIMEOUT,
                    14,
                    1,
                    31,
                    "Local ACK timeout of queue pairs: 4.096 us times two to this power; 14 is 67 ms."),
            OptionSpec.integer(
                    RETRIES, 6, 0, 6, "How often an unanswered request is sent again. 7 means for ever on some NICs."),
            OptionSpec.integer(TRAFFIC_CLASS, 0, 0, 255, "Traffic class of RoCE packets, for lossless networks."),
            OptionSpec.integer(SERVICE_LEVEL, 0, 0, 15, "Service level of InfiniBand packets."),
            OptionSpec.integer(
                    PLAIN_RECEIVES,
                    256,
                    1,
                    8192,
                    "Receive buffers for the notifications of a plain MORI-IO engine, for each queue pair with it."),
            OptionSpec.integer(
                    PLAIN_ENDPOINTS,
                    64,
                    1,
                    1024,
                    "Queue pairs that a plain MORI-IO engine may ask for. With one more its oldest is destroyed, since an engine"
                            + " that was restarted leaves its own behind."));

    private RdmaOptions() {}
}
