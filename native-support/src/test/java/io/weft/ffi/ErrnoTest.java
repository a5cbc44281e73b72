package io.weft.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ErrnoTest {
    private static final MethodHandle OPEN = Foreign.libc(
            "open",
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
            Errno.CAPTURE);

    @Test
    void keepsErrnoOfTheCall() throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment capture = Errno.allocate(arena);
            MemorySegment path = arena.allocateFrom("/proc/weft-has-no-such-file");
            int rc = (int) OPEN.invokeExact(capture, path, 0);

            assertThat(rc).isEqualTo(-1);
            assertThat(Errno.get(capture)).isEqualTo(Errno.ENOENT);
            assertThat(Errno.describe(Errno.ENOENT)).isEqualTo("ENOENT (2): No such file or directory");
        }
    }

    @Test
    void describesNumbersWithoutAName() {
        assertThat(Errno.describe(9999)).startsWith("errno 9999: ");
    }
}
