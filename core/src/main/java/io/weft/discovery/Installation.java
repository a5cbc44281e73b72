package io.weft.discovery;

import io.weft.config.Configuration;
import io.weft.config.ConfigurationSources;
import io.weft.config.OptionCatalogue;
import io.weft.config.OptionGroup;
import io.weft.config.ToolOptions;
import io.weft.spi.OptionValues;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What is installed here and how it is configured: the backends, the options of everything, and their values.
 *
 * <p>Immutable; safe from any thread.
 *
 * @param backends the backends
 * @param options the options of Weft's components and of the backends
 * @param configuration the values; may have problems, see {@link Configuration#orThrow}
 */
public record Installation(BackendCatalogue backends, OptionCatalogue options, Configuration configuration) {
    /**
     * Finds the backends that the configuration admits, then resolves the configuration with their options. Reads files and
     * runs constructors of providers; bounded by {@value ToolOptions#PROVIDER_TIMEOUT}.
     *
     * @param discovery where to look; its allow and deny lists and timeout are set from the configuration
     * @param sources where values come from
     * @param components the options of Weft's components, {@link ToolOptions#GROUP} excepted
     * @return the installation, its backends not probed
     */
    public static Installation load(Discovery discovery, ConfigurationSources sources, List<OptionGroup> components) {
        // The backends' options are not known before the backends are; what this first look finds wrong is found again.
        OptionValues tool = Configuration.resolve(OptionCatalogue.of(List.of(ToolOptions.GROUP)), sources)
                .values(ToolOptions.GROUP);
        BackendCatalogue backends = discovery
                .allow(tool.list(ToolOptions.ALLOW))
                .deny(tool.list(ToolOptions.DENY))
                .timeout(Duration.ofNanos(tool.nanos(ToolOptions.PROVIDER_TIMEOUT)))
                .backends();
        List<OptionGroup> groups = new ArrayList<>();
        groups.add(ToolOptions.GROUP);
        groups.addAll(components);
        groups.addAll(backends.optionGroups());
        OptionCatalogue options = OptionCatalogue.of(groups, backends.unreadable());
        return new Installation(backends, options, Configuration.resolve(options, sources));
    }

    /**
     * Probes the backends with their configured options.
     *
     * @return a copy with the answers
     */
    public Installation probed() {
        Duration timeout =
                Duration.ofNanos(configuration.values(ToolOptions.GROUP).nanos(ToolOptions.PROVIDER_TIMEOUT));
        return new Installation(backends.probe(configuration::values, timeout), options, configuration);
    }
}
