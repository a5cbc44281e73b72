package io.weft.backend.libfabric.ofi;

/** Constants of the libfabric headers, tested against them. */
public final class Fi {
    /** Messages. */
    public static final long MSG = 1L << 1;
    /** Remote memory access. */
    public static final long RMA = 1L << 2;
    /** Reads at the initiator. */
    public static final long READ = 1L << 8;
    /** Writes at the initiator. */
    public static final long WRITE = 1L << 9;
    /** Receives. */
    public static final long RECV = 1L << 10;
    /** Transmits. */
    public static final long TRANSMIT = 1L << 11;
    /** Reads by peers. */
    public static final long REMOTE_READ = 1L << 12;
    /** Writes by peers. */
    public static final long REMOTE_WRITE = 1L << 13;
    /** Device memory. */
    public static final long HMEM = 1L << 47;
    /** Registration: by a dma-buf's descriptor; from API 1.20 on. */
    public static final long MR_DMABUF = 1L << 40;
    /** An entry in the completion queue is wanted. */
    public static final long COMPLETION = 1L << 24;
    /** Complete when the bytes are in the target's memory. */
    public static final long DELIVERY_COMPLETE = 1L << 28;
    /** The node given is this side's. */
    public static final long SOURCE = 1L << 57;
    /** Mode: the context of an operation is 4 words of the provider's. */
    public static final long CONTEXT = 1L << 59;
    /** Mode: the context of an operation is 8 words of the provider's. */
    public static final long CONTEXT2 = 1L << 52;

    /** Local buffers are registered. */
    public static final int MR_LOCAL = 1 << 2;
    /** Keys are larger than 64 bits. */
    public static final int MR_RAW = 1 << 3;
    /** Peers name memory by virtual address. */
    public static final int MR_VIRT_ADDR = 1 << 4;
    /** Memory is backed by pages when registered. */
    public static final int MR_ALLOCATED = 1 << 5;
    /** The provider chooses the key. */
    public static final int MR_PROV_KEY = 1 << 6;
    /** Regions are bound to an endpoint. */
    public static final int MR_ENDPOINT = 1 << 9;
    /** Device memory must be registered as such. */
    public static final int MR_HMEM = 1 << 10;

    /** Interface to device memory: CUDA. */
    public static final int HMEM_CUDA = 1;
    /** Interface to device memory: ROCr, for HIP. */
    public static final int HMEM_ROCR = 2;

    /** Reliable datagram endpoint. */
    public static final int EP_RDM = 3;
    /** Any thread may call at any time. */
    public static final int THREAD_SAFE = 1;
    /** The provider makes progress by itself. */
    public static final int PROGRESS_AUTO = 1;

    /** Entries of a completion queue are contexts. */
    public static final int CQ_FORMAT_CONTEXT = 1;
    /** A completion queue without a wait object. */
    public static final int WAIT_NONE = 0;
    /** A completion queue with a file descriptor. */
    public static final int WAIT_FD = 3;

    private Fi() {}

    /**
     * Packs a version as {@code FI_VERSION} does.
     *
     * @param major the major
     * @param minor the minor
     * @return the packed version
     */
    public static int version(int major, int minor) {
        return major << 16 | minor;
    }
}
