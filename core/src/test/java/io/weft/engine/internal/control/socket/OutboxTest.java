package io.weft.engine.internal.control.socket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 10, unit = TimeUnit.SECONDS)
class OutboxTest {
    private final StringBuilder written = new StringBuilder();
    private final AtomicInteger wanted = new AtomicInteger();
    private int room = Integer.MAX_VALUE;
    private boolean broken;

    private final Outbox outbox = new Outbox(
            new WritableByteChannel() {
                @Override
                public int write(ByteBuffer src) throws IOException {
                    if (broken) {
                        throw new IOException("broken pipe");
                    }
                    int count = Math.min(room, src.remaining());
                    for (int i = 0; i < count; i++) {
                        written.append((char) src.get());
                    }
                    room -= count;
                    return count;
                }

                @Override
                public boolean isOpen() {
                    return true;
                }

                @Override
                public void close() {}
            },
            wanted::incrementAndGet);

    private static ByteBuffer frame(String text) {
        return ByteBuffer.wrap(text.getBytes(UTF_8));
    }

    @Test
    void waitsForTheConnection() throws IOException {
        assertThat(outbox.offer(frame("ab"), 10, 0)).isTrue();
        assertThat(written).isEmpty();
        outbox.ready();
        assertThat(outbox.flush(1)).isTrue();
        assertThat(written).hasToString("ab");
    }

    @Test
    void writesAtOnceAndKeepsOrderAndBound() throws IOException {
        outbox.ready();
        room = 3;
        assertThat(outbox.offer(frame("ab"), 4, 0)).isTrue();
        assertThat(wanted).hasValue(0);
        // Half of it is out: it must go on even beyond the bound.
        assertThat(outbox.offer(frame("cdefghij"), 4, 0)).isTrue();
        assertThat(wanted).hasValue(1);
        assertThat(outbox.offer(frame("k"), 4, 0)).isFalse();
        assertThat(outbox.offer(frame("k"), 8, 0)).isTrue();
        room = 100;
        assertThat(outbox.flush(1)).isTrue();
        assertThat(written).hasToString("abcdefghijk");
        assertThat(outbox.offer(frame("l"), 4, 0)).isTrue();
        assertThat(written).hasToString("abcdefghijkl");
    }

    @Test
    void tellsHowLongNothingWasTaken() throws IOException {
        outbox.ready();
        assertThat(outbox.stalledFor(50)).isZero();
        room = 1;
        outbox.offer(frame("abc"), 10, 100);
        assertThat(outbox.stalledFor(150)).isEqualTo(50);
        room = 1;
        assertThat(outbox.flush(160)).isFalse();
        assertThat(outbox.stalledFor(170)).isEqualTo(10);
        outbox.deaf(1_000, 175);
        assertThat(outbox.stalledFor(185)).isEqualTo(10);
        room = 10;
        outbox.flush(190);
        assertThat(outbox.stalledFor(1_000)).isZero();
    }

    @Test
    void aBrokenChannelIsLeftToTheIoThread() {
        outbox.ready();
        broken = true;
        assertThat(outbox.offer(frame("ab"), 10, 0)).isTrue();
        assertThat(wanted).hasValue(1);
        outbox.close();
        assertThat(outbox.offer(frame("ab"), 10, 0)).isFalse();
    }
}
