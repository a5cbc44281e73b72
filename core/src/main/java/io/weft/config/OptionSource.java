package io.weft.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;

/**
 * Adds a component's options to the catalogue. A service found by {@link ServiceLoader}, so that the engine can refuse unknown
 * names without knowing the layers above it; provided by Weft's own modules, never by backends, which have
 * {@link io.weft.spi.BackendProvider#options}.
 */
public interface OptionSource {
    /**
     * The component's options.
     *
     * @return groups, the same at every call
     */
    List<OptionGroup> groups();

    /**
     * The options of all of Weft's components: the tool, the engine, and what the path adds.
     *
     * @return groups, those of the path by name
     */
    static List<OptionGroup> installed() {
        List<OptionGroup> added = new ArrayList<>();
        for (OptionSource source : ServiceLoader.load(OptionSource.class, OptionSource.class.getClassLoader())) {
            added.addAll(source.groups());
        }
        added.sort(Comparator.comparing(OptionGroup::name));
        List<OptionGroup> all = new ArrayList<>(List.of(ToolOptions.GROUP, EngineOptions.GROUP));
        all.addAll(added);
        return all;
    }
}
