package io.weft.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 10, unit = TimeUnit.SECONDS)
class NodeMarkerTest {
    @Test
    void writesTheFormatOfTheDesign() {
        assertThat(new NodeMarker("node-a", 1, 2, 0xabcL).format()).isEqualTo("node-a;weft=1.2;inc=0000000000000abc");
    }

    @ParameterizedTest
    @CsvSource({
        "node-a;weft=1.0;inc=8000000000000001, node-a, 1, 0, 8000000000000001",
        "'', , , ,",
        ";weft=1.0;inc=0000000000000001, '', 1, 0, 1",
        "a;weft=9.9;inc=0000000000000002;weft=1.3;inc=00000000000000ff;lanes=8, a;weft=9.9;inc=0000000000000002, 1, 3, ff",
    })
    void readsIt(String nodeId, String node, Integer major, Integer minor, String incarnation) {
        if (node == null) {
            assertThat(NodeMarker.parse(nodeId)).isEmpty();
        } else {
            assertThat(NodeMarker.parse(nodeId))
                    .contains(new NodeMarker(node, major, minor, Long.parseUnsignedLong(incarnation, 16)));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2fdf5f19-8f5c-4d5c-9d5b-000000000000",
                "a;weft=1.0",
                "a;weft=1;inc=0000000000000001",
                "a;weft=1.0;inc=1",
                "a;weft=1.0;inc=000000000000000G",
                "a;weft=1.0;inc=0000000000000000",
                "a;weft=-1.0;inc=0000000000000001",
                "a;weft=123456.0;inc=0000000000000001",
            })
    void anythingElseIsAPlainEngine(String nodeId) {
        assertThat(NodeMarker.parse(nodeId)).isEmpty();
    }

    @Test
    void aHugeNodeIdIsPlainAndCostsNothing() {
        assertThat(NodeMarker.parse(";weft=".repeat(10_000) + "1.0;inc=0000000000000001"))
                .isEmpty();
    }

    @Test
    void theConfiguredNodeComesBeforeTheBootId() {
        assertThat(NodeMarker.localNode("rack-7")).isEqualTo("rack-7");
        assertThat(NodeMarker.localNode("")).isNotEmpty().isEqualTo(NodeMarker.localNode(null));
    }

    @Test
    void refusesWhatItCouldNotReadBack() {
        assertThatThrownBy(() -> new NodeMarker("a", 1, 0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new NodeMarker("a", 100_000, 0, 1)).isInstanceOf(IllegalArgumentException.class);
    }
}
