package io.weft.cli.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

@Timeout(60)
class MemoryOpsTest {
    @TempDir
    Path directory;

    private Buffers buffers;

    @BeforeEach
    void makeBuffers() throws IOException {
        Path layout = Files.writeString(directory.resolve("layout.json"), """
                {"tp":2,"tpRank":1,"pageSize":4,"layers":2,"kvHeads":8,"headDim":16,"dtypeBytes":2,"pages":24,
                 "aux":{"itemLens":[64,128,64],"slots":6,"roomCell":2},
                 "state":[{"type":"mamba","slots":6,"itemLens":[6144,8192],"dims":[512,16]}]}""");
        buffers = new Buffers(LayoutFile.read(layout), new HostMemory());
    }

    @AfterEach
    void close() {
        buffers.close();
    }

    @Test
    void whatIsFilledVerifiesAndTheRestIsZero() {
        List<JsonNode> events = run("""
                {"op":"fill","id":1,"seed":5,"pages":[1,2,9],"auxIndex":3,"stateIndices":[[4]]}
                {"op":"verify","id":2,"seed":5,"pages":[1,2,9],"restZero":true}
                {"op":"verify","id":3,"buffer":"aux","seed":5,"pages":[3],"restZero":true}
                {"op":"verify","id":4,"buffer":"state","component":0,"seed":5,"pages":[4],"restZero":true}
                {"op":"verify","id":5,"seed":5,"pages":[1,2],"restZero":true}
                {"op":"quit"}""");
        assertThat(events)
                .extracting(e -> e.path("event").asString())
                .containsExactly("filled", "verified", "verified", "verified", "verified", "bye");
        assertThat(events.subList(1, 4)).allMatch(e -> e.path("ok").asBoolean());
        JsonNode wrong = events.get(4);
        assertThat(wrong.path("ok").asBoolean()).isFalse();
        assertThat(wrong.path("mismatches"))
                .hasSize(10)
                .allMatch(m -> m.path("page").asInt() == 9);
    }

    @Test
    void taintedAndPoisonedPagesAreFound() {
        List<JsonNode> events = run("""
                {"op":"fill","seed":5,"pages":[1,2,3]}
                {"op":"taint","how":"flip","pages":[1]}
                {"op":"taint","how":"rotateHeads","pages":[2]}
                {"op":"poison","pages":[3]}
                {"op":"verify","id":"a","seed":5,"pages":[1]}
                {"op":"verify","id":"b","seed":5,"pages":[2]}
                {"op":"verify","id":"c","seed":5,"pages":[3]}""");
        List<JsonNode> verified = events.stream()
                .filter(e -> e.path("event").asString().equals("verified"))
                .toList();
        assertThat(verified).extracting(e -> e.path("id").asString()).containsExactly("a", "b", "c");
        assertThat(verified).noneMatch(e -> e.path("ok").asBoolean());
        assertThat(verified.getFirst().path("mismatchCount").asInt())
                .as("a byte for each head")
                .isEqualTo(4);
    }

    @Test
    void errorsNameOpAndFieldAndTheLoopGoesOn() {
        List<JsonNode> events = run("""
                nonsense
                {"op":"verify","id":1,"seed":5,"pages":[24]}
                {"op":"fill","id":2,"pages":[1]}
                {"op":"dump","id":3,"buffer":"kw"}
                {"op":"nothing","id":4}
                {"op":"zero","id":5}""");
        assertThat(events)
                .extracting(e -> e.path("text").asString(""))
                .anyMatch(t -> t.startsWith("not JSON"))
                .anyMatch(t -> t.contains("item 24 is outside a buffer of 24 items"))
                .anyMatch(t -> t.contains("'seed' must be a whole number"))
                .anyMatch(t -> t.contains("buffer must be kv, aux or state, found 'kw'"));
        assertThat(events)
                .anyMatch(e -> e.path("event").asString().equals("filled")
                        && e.path("id").asInt() == 5);
    }

    @Test
    void dumpsHexOfPages() {
        List<JsonNode> events = run("""
                {"op":"fill","seed":7,"pages":[1]}
                {"op":"dump","id":1,"index":0,"page":1,"format":"hex"}
                {"op":"dump","id":2,"index":0}""");
        JsonNode part = events.get(1).path("parts").get(0);
        assertThat(part.path("bytes").asInt()).isEqualTo(4 * 4 * 32);
        assertThat(part.path("data").asString()).hasSize(2 * 4 * 4 * 32);
        assertThat(events.get(2).path("parts").get(0).path("data").asString()).hasSize(64);
    }

    @Test
    void aLayoutWithoutARequiredFieldIsRefused() throws IOException {
        Path file = Files.writeString(directory.resolve("bad.json"), "{\"layers\":2}");
        assertThatThrownBy(() -> LayoutFile.read(file)).hasMessageContaining("'pageSize' is missing");
    }

    private List<JsonNode> run(String commands) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        RoomOps none = new RoomOps() {
            @Override
            public void carryOut(Line line) {
                throw Line.invalid("unknown op " + line.op());
            }

            @Override
            public void describe(ObjectNode stats) {}

            @Override
            public void close() {}
        };
        try {
            new CommandLoop(new MemoryOps(buffers), none, new Events(out))
                    .run(new BufferedReader(new StringReader(commands)));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return out.toString(StandardCharsets.UTF_8)
                .lines()
                .map(JsonMapper.shared()::readTree)
                .toList();
    }
}
