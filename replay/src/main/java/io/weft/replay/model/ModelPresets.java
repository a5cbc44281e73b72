package io.weft.replay.model;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Geometries of public models, as their published configuration files give them. */
public final class ModelPresets {
    private static final List<ModelGeometry> ALL = List.of(
            new ModelGeometry("llama-3-8b", 32, 8, 128, 2, false, List.of()),
            new ModelGeometry("llama-3-70b", 80, 8, 128, 2, false, List.of()),
            new ModelGeometry("qwen3-32b", 64, 8, 128, 2, false, List.of()),
            // Latent of 512 and rotary part of 64 elements in one buffer per layer.
            new ModelGeometry("deepseek-v3", 61, 1, 576, 2, true, List.of()),
            // 48 layers, every fourth with attention; the others keep a convolution state of 8 192 channels x 3 and a
            // recurrent state of 32 heads x 128 x 128 in single precision.
            new ModelGeometry(
                    "qwen3-next-80b",
                    12,
                    2,
                    256,
                    2,
                    false,
                    List.of(new StateGeometry("mamba", 36, 8_192L * 3 * 2 + 32L * 128 * 128 * 4, 32, 1))),
            // 24 layers, every second one with a window of 128 tokens, two pages of 64.
            new ModelGeometry(
                    "gpt-oss-20b", 12, 8, 64, 2, false, List.of(new StateGeometry("swa", 24, 64L * 8 * 64 * 2, 0, 2))));

    private ModelPresets() {}

    /**
     * Names of the presets.
     *
     * @return names in a fixed order
     */
    public static List<String> names() {
        List<String> names = new ArrayList<>();
        ALL.forEach(model -> names.add(model.name()));
        return names;
    }

    /**
     * Finds a preset, or reads a geometry from a JSON file with the fields of {@link ModelGeometry}.
     *
     * @param nameOrFile preset name or path
     * @return the geometry
     * @throws IllegalArgumentException naming the presets if there is neither
     */
    public static ModelGeometry find(String nameOrFile) {
        for (ModelGeometry model : ALL) {
            if (model.name().equals(nameOrFile)) {
                return model;
            }
        }
        Path file = Path.of(nameOrFile);
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException("no model preset and no file is named '" + nameOrFile + "'; presets are "
                    + String.join(", ", names()));
        }
        try {
            return JsonMapper.shared().readValue(file, ModelGeometry.class);
        } catch (JacksonException | UncheckedIOException e) {
            throw new IllegalArgumentException("model file " + file + " cannot be read: " + e.getMessage(), e);
        }
    }
}
