package io.weft.testkit.device;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * One anonymous file mapped twice: once without any right, which gives the device address, once readable and writable, which
 * only the fake device uses. Linux only.
 *
 * <p>Safe from any thread; closing while another thread copies is the caller's mistake.
 */
@SuppressWarnings("restricted") // calls libc's mmap and views what it mapped
final class DoubleMapping {
    private static final int PROT_NONE = 0;
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_SHARED = 1;
    private static final int MADV_HUGEPAGE = 14;
    private static final long MAP_FAILED = -1;

    private static final MethodHandle MEMFD_CREATE =
            libc("memfd_create", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle FTRUNCATE =
            libc("ftruncate", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle MMAP = libc(
            "mmap", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle MUNMAP = libc("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle MADVISE =
            libc("madvise", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final MethodHandle CLOSE = libc("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    private final long length;
    private final long deviceAddress;
    private final MemorySegment shadow;

    private DoubleMapping(long length, long deviceAddress, long shadowAddress) {
        this.length = length;
        this.deviceAddress = deviceAddress;
        this.shadow = MemorySegment.ofAddress(shadowAddress).reinterpret(length);
    }

    private static MethodHandle libc(String name, FunctionDescriptor signature) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), signature);
    }

    static DoubleMapping of(long length) {
        int fd = file(length);
        try {
            long device = map(length, PROT_NONE, fd);
            long shadow = map(length, PROT_READ_WRITE, fd);
            askForHugePages(shadow, length);
            return new DoubleMapping(length, device, shadow);
        } finally {
            close(fd);
        }
    }

    private static int file(long length) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocateFrom("weft-fake-device");
            int fd = (int) MEMFD_CREATE.invokeExact(name, 0);
            if (fd < 0) {
                throw refused("memfd_create", length);
            }
            int rc = (int) FTRUNCATE.invokeExact(fd, length);
            if (rc != 0) {
                close(fd);
                throw refused("ftruncate", length);
            }
            return fd;
        } catch (WeftException e) {
            throw e;
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    private static long map(long length, int protection, int fd) {
        try {
            long address = (long) MMAP.invokeExact(0L, length, protection, MAP_SHARED, fd, 0L);
            if (address == MAP_FAILED) {
                throw refused("mmap", length);
            }
            return address;
        } catch (WeftException e) {
            throw e;
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    /** A device's copy engine does not miss a TLB for every 4 KiB either. Where the kernel has none, small pages do. */
    private static void askForHugePages(long address, long length) {
        try {
            int _ = (int) MADVISE.invokeExact(address, length, MADV_HUGEPAGE);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    private static void close(int fd) {
        try {
            int ignored = (int) CLOSE.invokeExact(fd);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    private static WeftException refused(String call, long length) {
        return new WeftException(
                ErrorCode.RESOURCE_EXHAUSTED, "fake device: " + call + " refused " + length + " bytes");
    }

    private static AssertionError unexpected(Throwable thrown) {
        if (thrown instanceof VirtualMachineError error) {
            throw error;
        }
        return new AssertionError("a downcall threw, which C cannot do", thrown);
    }

    long deviceAddress() {
        return deviceAddress;
    }

    long length() {
        return length;
    }

    MemorySegment shadow() {
        return shadow;
    }

    void unmap() {
        try {
            int _ = (int) MUNMAP.invokeExact(deviceAddress, length);
            int _ = (int) MUNMAP.invokeExact(shadow.address(), length);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }
}
