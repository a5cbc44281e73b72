package io.weft.kv.internal.endpoint;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** How large the kernel's receive buffer should be: large only where there is memory to spare, as the original decides. */
final class ReceiveBuffer {
    /** The system's default. */
    static final int DEFAULT = -1;

    private static final int LARGE = 512 << 20;
    private static final long GIB = 1L << 30;

    private ReceiveBuffer() {}

    static int size() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean os
                        && os.getTotalMemorySize() > 32 * GIB
                        && os.getFreeMemorySize() > 16 * GIB
                ? LARGE
                : DEFAULT;
    }
}
