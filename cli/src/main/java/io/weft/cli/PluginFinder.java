package io.weft.cli;

import io.weft.config.ConfigurationSources;
import io.weft.discovery.Discovery;
import io.weft.tck.harness.BackendFinder;

/** Lets the kit, and the processes that it starts, find backends that are plug-ins of this command. */
public final class PluginFinder implements BackendFinder {
    /** Made by {@link java.util.ServiceLoader}. */
    public PluginFinder() {}

    @Override
    public Discovery discovery() {
        return Plugins.discovery(ConfigurationSources.ofProcess());
    }
}
