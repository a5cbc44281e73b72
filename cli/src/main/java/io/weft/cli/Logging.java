package io.weft.cli;

import io.weft.config.Configuration;
import io.weft.config.ConfigurationSources;
import io.weft.config.OptionCatalogue;
import io.weft.config.ToolOptions;
import java.util.List;

/** Tells logback, which reads {@code logback.xml} at the first message, how much to log. */
final class Logging {
    private static final String LEVEL = "io.weft.cli.log.level";

    private Logging() {}

    static void configure(ConfigurationSources sources, boolean debug) {
        String configured = Configuration.resolve(OptionCatalogue.of(List.of(ToolOptions.GROUP)), sources)
                .values(ToolOptions.GROUP)
                .string(ToolOptions.LOG_LEVEL);
        System.setProperty(LEVEL, debug ? "debug" : configured);
    }

    /**
     * For a command that makes transfers, or backends, fail on purpose, before its first message. Who asked for more than warnings
     * gets them.
     *
     * @param level what is logged instead of warnings, such as {@code error}
     */
    static void insteadOfWarnings(String level) {
        if (System.getProperty(LEVEL, "").equals("warn")) {
            System.setProperty(LEVEL, level);
        }
    }
}
