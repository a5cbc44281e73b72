package io.weft.kv.internal.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RejectionLogTest {
    private final List<String> written = new ArrayList<>();
    private final RejectionLog log = new RejectionLog(new Kept(), "rank");

    /** Keeps the causes. */
    private final class Kept implements System.Logger {
        @Override
        public String getName() {
            return "kept";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, String text, @Nullable Throwable thrown) {
            written.add(text);
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, String format, Object... values) {
            written.add(String.valueOf(values[1]));
        }
    }

    @Test
    void messagesThatDifferInNumbersAreCountedAndLoggedOnce() {
        IntStream.range(0, 1_000).forEach(i -> log.add("metadata has " + i + " frames, must have 7 to 32"));
        log.add("status of no open room");
        assertThat(log.count()).isEqualTo(1_001);
        assertThat(written).containsExactly("metadata has 0 frames, must have 7 to 32", "status of no open room");
    }

    @Test
    void whateverArrivesTheLogStaysSmall() {
        IntStream.range(0, 10_000).forEach(i -> log.add("x".repeat(i % 5_000)));
        assertThat(log.count()).isEqualTo(10_000);
        assertThat(written).hasSize(256);
    }
}
