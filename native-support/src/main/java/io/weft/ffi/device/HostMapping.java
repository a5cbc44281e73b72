package io.weft.ffi.device;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.weft.api.ErrorCode;
import io.weft.api.RegisterOptions.Pages;
import io.weft.api.WeftException;
import io.weft.ffi.Errno;
import io.weft.ffi.Foreign;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * One anonymous mapping, every page present. Numbers are those of Linux on 64-bit x86 and Arm.
 *
 * @param address first address
 * @param length bytes mapped, rounded up to the page size
 */
record HostMapping(long address, long length) {
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_PRIVATE_ANONYMOUS = 0x22;
    private static final int MAP_HUGETLB = 0x40000;
    /** MAP_HUGE_SHIFT: the page size's logarithm goes into bits 26 and up. */
    private static final int HUGE_SHIFT = 26;

    private static final int MADV_HUGEPAGE = 14;
    private static final int MADV_POPULATE_WRITE = 23;
    private static final int MPOL_BIND = 2;
    private static final int MOST_NODES = 64;
    private static final System.Logger LOG = System.getLogger(HostMapping.class.getName());

    private static final MethodHandle MMAP = Foreign.libc(
            "mmap",
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG),
            Errno.CAPTURE);
    private static final MethodHandle MUNMAP =
            Foreign.libc("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle MADVISE =
            Foreign.libc("madvise", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT), Errno.CAPTURE);
    /** mbind has no wrapper in the C library itself. */
    private static final MethodHandle SYSCALL = Foreign.libc(
            "syscall",
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG),
            Errno.CAPTURE);

    static HostMapping of(long length, Pages pages, int numaNode) {
        int shift = pageShift(pages);
        long rounded = Math.addExact(length, (1L << shift) - 1) & -(1L << shift);
        boolean huge = pages == Pages.HUGE_2M || pages == Pages.HUGE_1G;
        int flags = MAP_PRIVATE_ANONYMOUS | (huge ? MAP_HUGETLB | shift << HUGE_SHIFT : 0);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = Errno.allocate(arena);
            long address = (long) MMAP.invokeExact(errno, 0L, rounded, PROT_READ_WRITE, flags, -1, 0L);
            if (address == -1) {
                throw refused(length, pages, Errno.get(errno));
            }
            HostMapping mapping = new HostMapping(address, rounded);
            try {
                mapping.place(arena, errno, pages, numaNode);
                return mapping;
            } catch (WeftException e) {
                mapping.unmap();
                throw e;
            }
        } catch (WeftException e) {
            throw e;
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }

    private static int pageShift(Pages pages) {
        return switch (pages) {
            case DEFAULT -> 12;
            case TRANSPARENT_HUGE, HUGE_2M -> 21;
            case HUGE_1G -> 30;
        };
    }

    /** Binds to the node before the first touch, then makes every page present, so that a shortage shows here. */
    private void place(Arena arena, MemorySegment errno, Pages pages, int numaNode) throws Throwable {
        if (numaNode >= 0) {
            bind(arena, errno, numaNode);
        }
        if (pages == Pages.TRANSPARENT_HUGE) {
            int rc = (int) MADVISE.invokeExact(errno, address, length, MADV_HUGEPAGE);
            if (rc != 0) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "WEFT-HUGEPAGES transparent huge pages were refused with {0}; ordinary pages are used",
                        Errno.describe(Errno.get(errno)));
            }
        }
        int rc = (int) MADVISE.invokeExact(errno, address, length, MADV_POPULATE_WRITE);
        // Kernels before 5.14 do not know the advice; their pages come with the first touch.
        if (rc != 0 && Errno.get(errno) != Errno.EINVAL) {
            throw refused(length, pages, Errno.get(errno));
        }
    }

    private void bind(Arena arena, MemorySegment errno, int numaNode) throws Throwable {
        if (numaNode >= MOST_NODES) {
            throw new WeftException(
                    ErrorCode.INVALID_ARGUMENT, "host: NUMA node " + numaNode + " is above " + (MOST_NODES - 1));
        }
        MemorySegment mask = arena.allocateFrom(JAVA_LONG, 1L << numaNode);
        long number = System.getProperty("os.arch").equals("aarch64") ? 235 : 237;
        long rc = (long)
                SYSCALL.invokeExact(errno, number, address, length, (long) MPOL_BIND, mask, (long) MOST_NODES + 1, 0L);
        if (rc != 0) {
            throw new WeftException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "host: binding " + length + " bytes to NUMA node " + numaNode + " was refused with "
                            + Errno.describe(Errno.get(errno)) + "; 'numactl --hardware' lists the nodes",
                    Errno.get(errno),
                    null);
        }
    }

    private static WeftException refused(long length, Pages pages, int errno) {
        String advice = switch (pages) {
            case DEFAULT, TRANSPARENT_HUGE ->
                "free memory, or raise the limits of the process (ulimit -v, the container's memory limit)";
            case HUGE_2M ->
                "reserve pages: echo " + Math.ceilDiv(length, 1L << 21)
                        + " > /sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages";
            case HUGE_1G ->
                "reserve pages: echo " + Math.ceilDiv(length, 1L << 30)
                        + " > /sys/kernel/mm/hugepages/hugepages-1048576kB/nr_hugepages";
        };
        return new WeftException(
                ErrorCode.RESOURCE_EXHAUSTED,
                "host: " + length + " bytes with " + pages + " pages were refused with " + Errno.describe(errno) + "; "
                        + advice,
                errno,
                null);
    }

    void unmap() {
        try {
            int ignored = (int) MUNMAP.invokeExact(address, length);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }
}
