package io.weft.replay.trace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/** Reads traces of JSON lines with {@code timestamp}, {@code input_length}, {@code output_length}, {@code hash_ids}. */
public final class TraceFile {
    private static final ObjectMapper JSON = JsonMapper.shared();

    private TraceFile() {}

    /**
     * Reads a file.
     *
     * @param file JSON lines; blank ones are skipped
     * @return the trace, sorted by arrival
     * @throws IllegalArgumentException naming file and line of the first mistake
     * @throws UncheckedIOException if the file cannot be read
     */
    public static Trace read(Path file) {
        List<TraceRequest> requests = new ArrayList<>();
        try (var lines = Files.newBufferedReader(file)) {
            int number = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                if (!line.isBlank()) {
                    requests.add(parse(file, number, line));
                }
            }
        } catch (NoSuchFileException e) {
            throw new UncheckedIOException("cannot read trace " + file + ": there is no such file", e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read trace " + file + ": " + e, e);
        }
        requests.sort((a, b) -> Long.compare(a.timestampMillis(), b.timestampMillis()));
        return new Trace(file.getFileName().toString(), requests);
    }

    private static TraceRequest parse(Path file, int number, String line) {
        String where = file + ":" + number + ": ";
        JsonNode node;
        try {
            node = JSON.readTree(line);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(where + "not JSON: " + e.getOriginalMessage(), e);
        }
        JsonNode hashes = node.path("hash_ids");
        if (!hashes.isArray() || hashes.isEmpty()) {
            throw new IllegalArgumentException(where + "hash_ids must be an array with at least one block hash");
        }
        long[] blocks = new long[hashes.size()];
        for (int i = 0; i < blocks.length; i++) {
            blocks[i] = number(where, "hash_ids[" + i + "]", hashes.get(i), Long.MAX_VALUE);
        }
        return new TraceRequest(
                number(where, "timestamp", node.path("timestamp"), Long.MAX_VALUE),
                (int) number(where, "input_length", node.path("input_length"), Integer.MAX_VALUE),
                (int) number(where, "output_length", node.path("output_length"), Integer.MAX_VALUE),
                blocks);
    }

    private static long number(String where, String field, JsonNode value, long most) {
        if (!value.isIntegralNumber()
                || !value.canConvertToLong()
                || value.longValue() < 0
                || value.longValue() > most) {
            throw new IllegalArgumentException(
                    where + field + " must be a whole number from 0 to " + most + ", found " + value);
        }
        return value.longValue();
    }
}
