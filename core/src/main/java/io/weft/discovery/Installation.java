package io.weft.discovery;

import io.weft.config.Configuration;
import io.weft.config.ConfigurationSources;
import io.weft.config.EngineOptions;
import io.weft.config.OptionCatalogue;
import io.weft.config.OptionGroup;
import io.weft.config.OptionSource;
import io.weft.config.Setting;
import io.weft.config.ToolOptions;
import io.weft.spi.OptionValues;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is installed here and how it is configured: the providers, the options of everything, and their values.
 *
 * <p>Immutable; safe from any thread.
 *
 * @param backends the backends
 * @param deviceMemories the kinds of device memory
 * @param options the options of Weft's components and of the backends
 * @param configuration the values; may have problems, see {@link Configuration#orThrow}
 */
public record Installation(
        BackendCatalogue backends,
        DeviceMemoryCatalogue deviceMemories,
        OptionCatalogue options,
        Configuration configuration) {
    /**
     * Finds the providers that the configuration admits, then resolves the configuration with their options. Reads files and
     * runs constructors of providers; bounded by {@value ToolOptions#PROVIDER_TIMEOUT}.
     *
     * @param discovery where to look; its allow and deny lists and timeout are set from the configuration
     * @param sources where values come from
     * @param components options beside those of {@link OptionSource#installed}; groups that are there already change nothing
     * @return the installation, its providers not probed
     */
    public static Installation load(
            Discovery discovery, ConfigurationSources sources, Collection<OptionGroup> components) {
        // The backends' options are not known before the backends are; what this first look finds wrong is found again.
        OptionValues tool = Configuration.resolve(OptionCatalogue.of(List.of(ToolOptions.GROUP)), sources)
                .values(ToolOptions.GROUP);
        discovery
                .allow(tool.list(ToolOptions.ALLOW))
                .deny(tool.list(ToolOptions.DENY))
                .timeout(Duration.ofNanos(tool.nanos(ToolOptions.PROVIDER_TIMEOUT)));
        Set<OptionGroup> groups = new LinkedHashSet<>(OptionSource.installed());
        groups.addAll(components);
        BackendCatalogue backends = discovery.backends().withoutClashes(groups);
        groups.addAll(backends.optionGroups());
        OptionCatalogue options = OptionCatalogue.of(groups, backends.unreadable());
        Configuration configuration = Configuration.resolve(options, sources);
        return new Installation(
                backends.withAbsent(named(configuration)), discovery.deviceMemories(), options, configuration);
    }

    /**
     * Whether the configuration counts on a backend.
     *
     * @param backend its name
     * @return whether it is in the order or on the allow list
     */
    public boolean isNamed(String backend) {
        return named(configuration).containsKey(backend);
    }

    /** The backends that the configuration counts on, with the key that says so. */
    private static Map<String, String> named(Configuration configuration) {
        Map<String, String> keys = new LinkedHashMap<>();
        for (String key : List.of(EngineOptions.ORDER, ToolOptions.ALLOW)) {
            Setting setting = configuration.setting("weft." + key);
            configuration
                    .values(setting.option().group())
                    .list(key)
                    .forEach(name -> keys.putIfAbsent(name, setting.option().key() + " (" + setting.origin() + ")"));
        }
        return keys;
    }

    /**
     * Probes the providers, the backends with their configured options.
     *
     * @return a copy with the answers
     */
    public Installation probed() {
        Duration timeout =
                Duration.ofNanos(configuration.values(ToolOptions.GROUP).nanos(ToolOptions.PROVIDER_TIMEOUT));
        return new Installation(
                backends.probe(configuration::values, timeout), deviceMemories.probe(timeout), options, configuration);
    }
}
