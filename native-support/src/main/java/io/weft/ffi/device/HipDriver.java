package io.weft.ffi.device;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.weft.api.MemoryKind;
import io.weft.ffi.Foreign;
import io.weft.ffi.NativeLibrary;
import io.weft.spi.DmaBuf;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * HIP's runtime interface (libamdhip64.so). Numbers are those of hip_runtime_api.h.
 *
 * @see <a href="https://rocm.docs.amd.com/projects/HIP/">HIP</a>
 */
final class HipDriver extends QueueDriver {
    private static final int HOST_TO_DEVICE = 1;
    private static final int DEVICE_TO_HOST = 2;
    private static final int POINTER_MEMORY_TYPE = 2;
    private static final int POINTER_DEVICE_ORDINAL = 9;
    private static final int MEMORY_TYPE_DEVICE = 2;
    private static final int HANDLE_DMA_BUF_FD = 1;
    private static final long PAGE = 4096;

    private static final Names NAMES = new Names(
            "hipMalloc",
            "hipFree",
            "hipStreamCreateWithFlags",
            "hipStreamDestroy",
            "hipStreamSynchronize",
            "hipEventCreateWithFlags",
            "hipEventRecord",
            "hipEventQuery",
            "hipEventDestroy");

    private final MemorySegment errorName;
    private final MemorySegment setDevice;
    private final MemorySegment copy;
    private final MemorySegment pointerGet;
    private final MemorySegment addressRange;
    private final MemorySegment handleForRange;
    private final MemorySegment deviceName;
    private final MemorySegment devicePci;
    private final MemorySegment deviceSynchronize;
    private final int count;

    HipDriver(NativeLibrary library) {
        Functions f = new Functions(library);
        super(f, NAMES);
        errorName = f.get("hipGetErrorName");
        setDevice = f.get("hipSetDevice");
        copy = f.get("hipMemcpyAsync");
        pointerGet = f.get("hipPointerGetAttribute");
        addressRange = f.get("hipMemGetAddressRange");
        handleForRange = f.orNull("hipMemGetHandleForAddressRange");
        deviceName = f.get("hipDeviceGetName");
        devicePci = f.get("hipDeviceGetPCIBusId");
        deviceSynchronize = f.get("hipDeviceSynchronize");
        check(DriverCalls.call(f.get("hipInit"), 0), "hipInit");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_INT);
            check(DriverCalls.call(f.get("hipGetDeviceCount"), out), "hipGetDeviceCount");
            count = out.get(JAVA_INT, 0);
        }
    }

    @Override
    public MemoryKind kind() {
        return MemoryKind.HIP;
    }

    @Override
    public int deviceCount() {
        return count;
    }

    @Override
    public String deviceName(int device) {
        return text(deviceName, device, "hipDeviceGetName");
    }

    @Override
    public String pciBusId(int device) {
        return text(devicePci, device, "hipDeviceGetPCIBusId").toLowerCase(Locale.ROOT);
    }

    private String text(MemorySegment function, int device, String call) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(256);
            check(DriverCalls.call(function, out, 256, device), call);
            return Foreign.string(out, 256);
        }
    }

    @Override
    public void use(int device) {
        check(DriverCalls.call(setDevice, device), "hipSetDevice");
    }

    @Override
    public OptionalInt deviceOf(long address) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_LONG);
            int status = DriverCalls.call(pointerGet, out, POINTER_MEMORY_TYPE, address);
            if (status != 0 || out.get(JAVA_INT, 0) != MEMORY_TYPE_DEVICE) {
                return OptionalInt.empty();
            }
            check(DriverCalls.call(pointerGet, out, POINTER_DEVICE_ORDINAL, address), "hipPointerGetAttribute");
            return OptionalInt.of(out.get(JAVA_INT, 0));
        }
    }

    @Override
    public void copyToHost(long host, long device, long length, long stream) {
        check(DriverCalls.call(copy, host, device, length, DEVICE_TO_HOST, stream), "hipMemcpyAsync");
    }

    @Override
    public void copyToDevice(long device, long host, long length, long stream) {
        check(DriverCalls.call(copy, device, host, length, HOST_TO_DEVICE, stream), "hipMemcpyAsync");
    }

    /** HIP has no call for it; a device synchronisation ends with the caches' write-back and invalidation. */
    @Override
    public void flushRemoteWrites() {
        check(DriverCalls.call(deviceSynchronize), "hipDeviceSynchronize");
    }

    /** HIP orders its own copies with its default stream already and has no such attribute. */
    @Override
    public void synchronizeMemoryOperations(long address) {}

    @Override
    public Optional<DmaBuf> exportDmaBuf(int device, long address, long length) {
        if (handleForRange.address() == 0) {
            return Optional.empty();
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment base = arena.allocate(ADDRESS);
            MemorySegment size = arena.allocate(JAVA_LONG);
            check(DriverCalls.call(addressRange, base, size, address), "hipMemGetAddressRange");
            DmaBufRange range =
                    DmaBufRange.within(base.get(JAVA_LONG, 0), size.get(JAVA_LONG, 0), address, length, PAGE);
            MemorySegment fd = arena.allocate(JAVA_INT);
            check(
                    DriverCalls.call(handleForRange, fd, range.start(), range.length(), HANDLE_DMA_BUF_FD, 0L),
                    "hipMemGetHandleForAddressRange");
            return Optional.of(new DmaBuf(fd.get(JAVA_INT, 0), address - range.start(), range.length()));
        }
    }

    @Override
    String statusName(int status) {
        return Foreign.string(DriverCalls.name(errorName, status), 128);
    }

    @Override
    public void close() {
        // The runtime keeps its contexts for the process.
    }
}
