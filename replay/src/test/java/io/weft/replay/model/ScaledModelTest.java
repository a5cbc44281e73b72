package io.weft.replay.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScaledModelTest {
    @ParameterizedTest
    @CsvSource({
        "llama-3-8b, 1.0, 1, 32, 8",
        "llama-3-8b, 0.05, 1, 2, 1",
        "llama-3-8b, 0.01, 2, 2, 1",
        "llama-3-70b, 0.25, 4, 20, 2",
        "deepseek-v3, 0.05, 1, 3, 1"
    })
    void scalesLayersAndPagesOfABlock(String model, double scale, int stages, int layers, int pages) {
        ScaledModel scaled = ScaledModel.of(ModelPresets.find(model), scale, stages);
        assertThat(scaled.layers()).isEqualTo(layers);
        assertThat(scaled.pagesPerBlock()).isEqualTo(pages);
    }

    @Test
    void presetsHaveThePublishedSizePerToken() {
        assertThat(ModelPresets.find("llama-3-8b").bytesPerToken()).isEqualTo(131_072);
        assertThat(ModelPresets.find("llama-3-70b").bytesPerToken()).isEqualTo(327_680);
        assertThat(ModelPresets.find("deepseek-v3").bytesPerToken()).isEqualTo(61 * 576 * 2);
    }

    @Test
    void pageBytesCountKAndVOfAllLayers() {
        assertThat(ScaledModel.of(ModelPresets.find("llama-3-8b"), 1, 1).pageBytes())
                .isEqualTo(64L * 131_072);
        assertThat(ScaledModel.of(ModelPresets.find("deepseek-v3"), 1, 1).pageBytes())
                .isEqualTo(64L * 61 * 576 * 2);
    }

    @Test
    void readsAGeometryFromAFile(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("mine.json"), """
                {"name":"mine","layers":4,"kvHeads":2,"headDim":64,"elementBytes":2,"mla":false,"states":[]}""");
        assertThat(ModelPresets.find(file.toString()).layers()).isEqualTo(4);
    }

    @Test
    void namesThePresetsWhenThereIsNone() {
        assertThatThrownBy(() -> ModelPresets.find("gpt-9"))
                .hasMessageContaining("gpt-9")
                .hasMessageContaining("llama-3-8b");
    }

    @ParameterizedTest
    @CsvSource({"0", "-1", "1.5", "NaN"})
    void refusesAScaleOutsideItsRange(double scale) {
        ModelGeometry model = ModelPresets.find("llama-3-8b");
        assertThatThrownBy(() -> ScaledModel.of(model, scale, 1)).hasMessageContaining("above 0 and at most 1");
    }
}
