package io.weft.testkit.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.api.MemoryLocation;
import io.weft.api.WeftException;
import io.weft.spi.DeviceStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FakeDeviceTest {
    private final FakeDeviceMemory memory = new FakeDeviceMemory();

    @Test
    void bytesGoThereAndBackByStream() {
        long device = memory.allocate(1, 1 << 16);
        try (Arena arena = Arena.ofShared();
                DeviceStream stream = memory.openStream(1)) {
            MemorySegment out = arena.allocateFrom("through the device", StandardCharsets.US_ASCII);
            MemorySegment in = arena.allocate(out.byteSize());
            stream.copyToDevice(device + 100, out.address(), out.byteSize());
            stream.copyToHost(in.address(), device + 100, in.byteSize());
            long mark = stream.mark();
            Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> stream.isDone(mark));
            assertThat(in.mismatch(out)).isEqualTo(-1);
        } finally {
            memory.free(device);
        }
    }

    @Test
    void addressesAreLocatedWithinTheirAllocation() {
        long device = memory.allocate(1, 4096);
        assertThat(memory.locate(device + 4095)).contains(new MemoryLocation(FakeDeviceProvider.KIND, 1));
        assertThat(memory.locate(device + 4096)).isEmpty();
        memory.free(device);
        assertThat(memory.locate(device)).isEmpty();
    }

    @Test
    void copiesOutsideAnAllocationAreRefused() {
        long device = memory.allocate(0, 4096);
        try (DeviceStream stream = memory.openStream(0)) {
            assertThatThrownBy(() -> stream.copyToHost(1, device + 4000, 97))
                    .isInstanceOf(WeftException.class)
                    .hasMessageContaining("leave their allocation");
        } finally {
            memory.free(device);
        }
    }

    @Test
    void theCpuDiesWhenItTouchesDeviceMemory() throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:-CreateCoredumpOnCrash",
                        "-XX:+SuppressFatalErrorMessage",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Touch.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(output).contains("before").doesNotContain("after");
        assertThat(child.exitValue()).isNotZero();
    }

    /** Main class of the child. */
    static final class Touch {
        private Touch() {}

        @SuppressWarnings("restricted") // views an address that it must not view
        public static void main(String[] arguments) {
            long device = new FakeDeviceMemory().allocate(0, 4096);
            System.out.println("before");
            byte read = MemorySegment.ofAddress(device).reinterpret(1).get(ValueLayout.JAVA_BYTE, 0);
            System.out.println("after " + read);
        }
    }
}
