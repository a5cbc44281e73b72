package io.weft.ffi.device;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryKind;
import io.weft.api.WeftException;
import io.weft.ffi.Foreign;
import io.weft.ffi.NativeLibrary;
import io.weft.spi.DmaBuf;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * CUDA's driver interface (libcuda.so.1). Numbers are those of cuda.h.
 *
 * @see <a href="https://docs.nvidia.com/cuda/cuda-driver-api/">CUDA Driver API</a>
 */
final class CudaDriver extends QueueDriver {
    private static final int POINTER_MEMORY_TYPE = 2;
    private static final int POINTER_SYNC_MEMOPS = 6;
    private static final int POINTER_DEVICE_ORDINAL = 9;
    private static final int MEMORY_TYPE_DEVICE = 2;
    private static final int DEVICE_DMA_BUF_SUPPORTED = 124;
    private static final int HANDLE_DMA_BUF_FD = 1;
    private static final int FLUSH_CURRENT_CONTEXT = 0;
    private static final int FLUSH_TO_ALL_DEVICES = 200;
    /** dma-buf exports cover whole pages of the host. */
    private static final long PAGE = 4096;

    private static final Names NAMES = new Names(
            "cuMemAlloc_v2",
            "cuMemFree_v2",
            "cuStreamCreate",
            "cuStreamDestroy_v2",
            "cuStreamSynchronize",
            "cuEventCreate",
            "cuEventRecord",
            "cuEventQuery",
            "cuEventDestroy_v2");

    private final MemorySegment errorName;
    private final MemorySegment setCurrent;
    private final MemorySegment toHost;
    private final MemorySegment toDevice;
    private final MemorySegment pointerGet;
    private final MemorySegment pointerSet;
    private final MemorySegment addressRange;
    private final MemorySegment handleForRange;
    private final MemorySegment flush;
    private final MemorySegment deviceName;
    private final MemorySegment devicePci;
    private final MemorySegment deviceAttribute;
    private final MemorySegment contextRelease;
    private final int[] handles;
    private final long[] contexts;

    CudaDriver(NativeLibrary library) {
        Functions f = new Functions(library);
        super(f, NAMES);
        errorName = f.get("cuGetErrorName");
        setCurrent = f.get("cuCtxSetCurrent");
        toHost = f.get("cuMemcpyDtoHAsync_v2");
        toDevice = f.get("cuMemcpyHtoDAsync_v2");
        pointerGet = f.get("cuPointerGetAttribute");
        pointerSet = f.get("cuPointerSetAttribute");
        addressRange = f.get("cuMemGetAddressRange_v2");
        handleForRange = f.orNull("cuMemGetHandleForAddressRange");
        flush = f.orNull("cuFlushGPUDirectRDMAWrites");
        deviceName = f.get("cuDeviceGetName");
        devicePci = f.get("cuDeviceGetPCIBusId");
        deviceAttribute = f.get("cuDeviceGetAttribute");
        contextRelease = f.get("cuDevicePrimaryCtxRelease_v2");
        check(DriverCalls.call(f.get("cuInit"), 0), "cuInit");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ADDRESS);
            check(DriverCalls.call(f.get("cuDeviceGetCount"), out), "cuDeviceGetCount");
            handles = new int[out.get(JAVA_INT, 0)];
            contexts = new long[handles.length];
            MemorySegment get = f.get("cuDeviceGet");
            MemorySegment retain = f.get("cuDevicePrimaryCtxRetain");
            for (int i = 0; i < handles.length; i++) {
                check(DriverCalls.call(get, out, i), "cuDeviceGet");
                handles[i] = out.get(JAVA_INT, 0);
                check(DriverCalls.call(retain, out, handles[i]), "cuDevicePrimaryCtxRetain");
                contexts[i] = out.get(JAVA_LONG, 0);
            }
        }
    }

    @Override
    public MemoryKind kind() {
        return MemoryKind.CUDA;
    }

    @Override
    public int deviceCount() {
        return handles.length;
    }

    @Override
    public String deviceName(int device) {
        return text(deviceName, device, "cuDeviceGetName");
    }

    @Override
    public String pciBusId(int device) {
        return text(devicePci, device, "cuDeviceGetPCIBusId").toLowerCase(Locale.ROOT);
    }

    private String text(MemorySegment function, int device, String call) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(256);
            check(DriverCalls.call(function, out, 256, handles[device]), call);
            return Foreign.string(out, 256);
        }
    }

    @Override
    public void use(int device) {
        check(DriverCalls.call(setCurrent, contexts[device]), "cuCtxSetCurrent");
    }

    @Override
    public OptionalInt deviceOf(long address) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ADDRESS);
            int status = DriverCalls.call(pointerGet, out, POINTER_MEMORY_TYPE, address);
            if (status != 0 || out.get(JAVA_INT, 0) != MEMORY_TYPE_DEVICE) {
                return OptionalInt.empty();
            }
            check(DriverCalls.call(pointerGet, out, POINTER_DEVICE_ORDINAL, address), "cuPointerGetAttribute");
            return OptionalInt.of(out.get(JAVA_INT, 0));
        }
    }

    @Override
    public void copyToHost(long host, long device, long length, long stream) {
        check(DriverCalls.call(toHost, host, device, length, stream), "cuMemcpyDtoHAsync");
    }

    @Override
    public void copyToDevice(long device, long host, long length, long stream) {
        check(DriverCalls.call(toDevice, device, host, length, stream), "cuMemcpyHtoDAsync");
    }

    @Override
    public void flushRemoteWrites() {
        if (flush.address() == 0) {
            throw new WeftException(
                    ErrorCode.UNSUPPORTED,
                    "cuda: this driver has no cuFlushGPUDirectRDMAWrites (CUDA 11.3 or newer has)");
        }
        check(DriverCalls.call(flush, FLUSH_CURRENT_CONTEXT, FLUSH_TO_ALL_DEVICES), "cuFlushGPUDirectRDMAWrites");
    }

    @Override
    public void synchronizeMemoryOperations(long address) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment on = arena.allocateFrom(JAVA_INT, 1);
            check(DriverCalls.call(pointerSet, on, POINTER_SYNC_MEMOPS, address), "cuPointerSetAttribute(SYNC_MEMOPS)");
        }
    }

    @Override
    public Optional<DmaBuf> exportDmaBuf(int device, long address, long length) {
        if (handleForRange.address() == 0 || attribute(device, DEVICE_DMA_BUF_SUPPORTED) == 0) {
            return Optional.empty();
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment base = arena.allocate(ADDRESS);
            MemorySegment size = arena.allocate(JAVA_LONG);
            check(DriverCalls.call(addressRange, base, size, address), "cuMemGetAddressRange");
            DmaBufRange range =
                    DmaBufRange.within(base.get(JAVA_LONG, 0), size.get(JAVA_LONG, 0), address, length, PAGE);
            MemorySegment fd = arena.allocate(JAVA_INT);
            check(
                    DriverCalls.call(handleForRange, fd, range.start(), range.length(), HANDLE_DMA_BUF_FD, 0L),
                    "cuMemGetHandleForAddressRange");
            return Optional.of(new DmaBuf(fd.get(JAVA_INT, 0), address - range.start(), range.length()));
        }
    }

    private int attribute(int device, int attribute) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_INT);
            int status = DriverCalls.call(deviceAttribute, out, attribute, handles[device]);
            // Older drivers do not know newer attributes: what they cannot tell, they cannot do.
            return status == 0 ? out.get(JAVA_INT, 0) : 0;
        }
    }

    @Override
    String statusName(int status) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ADDRESS);
            int known = DriverCalls.describe(errorName, status, out);
            return known == 0 ? Foreign.string(out.get(ADDRESS, 0), 128) : "CUresult " + status;
        }
    }

    @Override
    public void close() {
        for (int handle : handles) {
            int ignored = DriverCalls.call(contextRelease, handle);
        }
    }
}
