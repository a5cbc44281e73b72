package io.weft.cli.rank;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Commands that write and read a rank's own buffers. */
final class MemoryOps {
    /** What a page holds before its bytes come: no pattern repeats one byte. */
    private static final byte POISON = (byte) 0xDB;

    private final Buffers buffers;

    MemoryOps(Buffers buffers) {
        this.buffers = buffers;
    }

    void fill(Line line) {
        long seed = line.seed();
        onItems(line, (group, items) -> buffers.fill(group, seed, items));
    }

    void poison(Line line) {
        onItems(line, (group, items) -> buffers.set(group, items, POISON));
    }

    void zero() {
        buffers.zero();
    }

    private interface ItemWork {
        void on(List<Buffer> group, int[] items);
    }

    private void onItems(Line line, ItemWork work) {
        int[] pages = line.numbers("pages");
        if (pages != null) {
            work.on(buffers.group("kv", 0), pages);
        }
        if (line.has("auxIndex") && line.number("auxIndex", -1) >= 0) {
            work.on(buffers.group("aux", 0), new int[] {line.number("auxIndex", 0)});
        }
        List<int @Nullable []> states = line.lists("stateIndices");
        for (int c = 0; states != null && c < states.size(); c++) {
            int[] slots = states.get(c);
            if (slots != null) {
                work.on(buffers.group("state", c), slots);
            }
        }
    }

    /** Makes pages wrong on purpose, on a prefill rank, before they are sent. */
    void taint(Line line) {
        int[] pages = line.numbers("pages");
        String how = line.text("how", "");
        for (int page : pages == null ? new int[0] : pages) {
            switch (how) {
                case "flip" -> flip(page);
                case "rotateHeads" -> rotateHeads(page);
                default -> throw Line.invalid("'how' must be flip or rotateHeads, found '" + how + "'");
            }
        }
    }

    private void flip(int page) {
        Buffer first = buffers.group("kv", 0).getFirst();
        byte[] bytes = copy(first, page);
        for (int unit = 0; unit < first.units(); unit++) {
            bytes[unit * first.unitBytes()] ^= (byte) 0xFF;
        }
        buffers.put(first, page, bytes);
    }

    private void rotateHeads(int page) {
        for (Buffer buffer : buffers.group("kv", 0)) {
            if (buffer.units() < 2) {
                throw Line.invalid("heads cannot be exchanged: this rank holds one head");
            }
            byte[] bytes = copy(buffer, page);
            byte[] rotated = new byte[bytes.length];
            int token = buffer.units() * buffer.unitBytes();
            for (int at = 0; at < bytes.length; at++) {
                int inToken = (at % token + buffer.unitBytes()) % token;
                rotated[at / token * token + inToken] = bytes[at];
            }
            buffers.put(buffer, page, rotated);
        }
    }

    private byte[] copy(Buffer buffer, int item) {
        Buffers.check(buffer, item);
        return buffers.get(buffer, item * buffer.spec().itemLen(), buffer.itemBytes())
                .toArray(ValueLayout.JAVA_BYTE);
    }

    ObjectNode verify(Line line) {
        List<Buffer> group = buffers.group(line.text("buffer", "kv"), line.number("component", 0));
        int[] items = line.numbers("pages");
        items = items == null ? new int[0] : items;
        int[] sources = line.numbers("sourcePages");
        sources = sources == null ? items : sources;
        if (sources.length != items.length) {
            throw Line.invalid(items.length + " pages and " + sources.length + " sourcePages");
        }
        boolean aux = line.text("buffer", "kv").equals("aux");
        Verification verification = new Verification(buffers);
        verification.run(
                group,
                line.seed(),
                items,
                sources,
                aux && line.has("room") ? line.room() : null,
                line.flag("restZero", false));
        ObjectNode answer = Events.answer("verified", line)
                .put("ok", verification.count() == 0)
                .put("pages", items.length)
                .put("mismatchCount", verification.count());
        ArrayNode told = answer.putArray("mismatches");
        for (Verification.Mismatch m : verification.mismatches()) {
            told.addObject()
                    .put("index", m.index())
                    .put("page", m.page())
                    .put("offset", m.offset())
                    .put("expected", m.expected())
                    .put("actual", m.actual());
        }
        return answer;
    }

    ObjectNode dump(Line line) {
        String buffer = line.text("buffer", "kv");
        int component = line.number("component", 0);
        List<Buffer> group = buffers.group(buffer, component);
        if (line.has("index")) {
            int index = line.number("index", 0);
            if (index < 0 || index >= group.size()) {
                throw Line.invalid("'index' must be from 0 to " + (group.size() - 1) + ", found " + index);
            }
            group = List.of(group.get(index));
        }
        ObjectNode answer = Events.answer("dump", line).put("buffer", buffer);
        if (buffer.equals("state")) {
            answer.put("component", component);
        } else {
            answer.putNull("component");
        }
        ArrayNode parts = answer.putArray("parts");
        boolean hex = line.text("format", "sha256").equals("hex");
        for (Buffer each : group) {
            byte[] bytes = range(each, line);
            parts.addObject()
                    .put("index", each.index())
                    .put("bytes", bytes.length)
                    .put("data", hex ? HexFormat.of().formatHex(bytes) : sha256(bytes));
        }
        return answer;
    }

    /** What a receive command asked to be dumped once its room succeeded: fields as of {@code dump}, or true for its pages. */
    ObjectNode dumpOnSuccess(Line receive, long room) {
        ObjectNode command = JsonMapper.shared().createObjectNode();
        JsonNode wanted = receive.node().path("dumpOnSuccess");
        if (wanted instanceof ObjectNode fields) {
            command.setAll(fields);
        } else {
            command.set("pages", receive.node().path("pages"));
        }
        command.put("id", "success-" + Long.toUnsignedString(room));
        return dump(new Line(command));
    }

    private byte[] range(Buffer buffer, Line line) {
        int[] pages = line.has("page") ? new int[] {line.number("page", 0)} : line.numbers("pages");
        if (pages != null) {
            byte[] bytes = new byte[Math.multiplyExact(pages.length, buffer.itemBytes())];
            for (int i = 0; i < pages.length; i++) {
                System.arraycopy(copy(buffer, pages[i]), 0, bytes, i * buffer.itemBytes(), buffer.itemBytes());
            }
            return bytes;
        }
        long offset = line.number("offset", 0);
        long length =
                line.has("length") ? line.number("length", 0) : buffer.spec().length() - offset;
        if (offset < 0 || length < 0 || length > buffer.spec().length() - offset) {
            throw Line.invalid("offset " + offset + " and length " + length + " leave a buffer of "
                    + buffer.spec().length() + " bytes");
        }
        MemorySegment bytes = buffers.get(buffer, offset, length);
        return bytes.toArray(ValueLayout.JAVA_BYTE);
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
