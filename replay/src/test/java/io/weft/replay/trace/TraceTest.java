package io.weft.replay.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceTest {
    @TempDir
    Path directory;

    @Test
    void readsRequestsInOrderOfArrival() throws IOException {
        Trace trace = TraceFile.read(file("""
                {"timestamp": 3000, "input_length": 700, "output_length": 2, "hash_ids": [0, 5]}

                {"timestamp": 0, "input_length": 10, "output_length": 1, "hash_ids": [0]}
                """));
        assertThat(trace.requests()).extracting(TraceRequest::timestampMillis).containsExactly(0L, 3000L);
        assertThat(trace.mostBlocks()).isEqualTo(2);
        assertThat(trace.first(1).requests()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "not json | :1: not JSON",
                "{\"timestamp\":0,\"input_length\":1,\"output_length\":1,\"hash_ids\":[]} | hash_ids must be an array",
                "{\"timestamp\":-1,\"input_length\":1,\"output_length\":1,\"hash_ids\":[1]} | timestamp must be a whole",
                "{\"timestamp\":0,\"output_length\":1,\"hash_ids\":[1]} | input_length must be a whole number",
                "{\"timestamp\":0,\"input_length\":1,\"output_length\":1,\"hash_ids\":[1,\"x\"]} | hash_ids[1] must be"
            })
    void namesTheLineOfAMistake(String line, String text) throws IOException {
        Path file = file(line);
        assertThatThrownBy(() -> TraceFile.read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(text)
                .hasMessageContaining(file.toString());
    }

    @Test
    void refusesAnEmptyFile() throws IOException {
        Path file = file("\n");
        assertThatThrownBy(() -> TraceFile.read(file)).hasMessageContaining("has no request");
    }

    @Test
    void synthesisIsRepeatableAndLooksLikeConversations() {
        Trace trace = SyntheticTrace.of(600, 7);
        Trace again = SyntheticTrace.of(600, 7);
        assertThat(trace.requests().getLast().blockHashes())
                .isEqualTo(again.requests().getLast().blockHashes());
        int[] lengths = trace.requests().stream()
                .mapToInt(TraceRequest::inputTokens)
                .sorted()
                .toArray();
        assertThat(lengths[300]).as("median prompt").isBetween(6_000, 16_000);
        assertThat(trace.requests()).allMatch(r -> r.blockHashes()[0] == 0);
    }

    private Path file(String content) throws IOException {
        return Files.writeString(directory.resolve("trace.jsonl"), content);
    }
}
