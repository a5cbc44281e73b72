package io.weft.cli;

import io.weft.config.EngineOptions;
import io.weft.config.OptionGroup;
import java.util.List;

/** The components of Weft that have options, beside the backends. */
final class Components {
    private Components() {}

    static List<OptionGroup> all() {
        return List.of(EngineOptions.GROUP);
    }
}
