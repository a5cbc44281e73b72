package io.weft.engine;

import io.weft.api.TransferEngine;
import io.weft.api.WeftException;
import io.weft.config.ConfigurationSources;
import io.weft.config.EngineOptions;
import io.weft.config.OptionGroup;
import io.weft.discovery.Discovery;
import io.weft.engine.internal.EngineAssembly;
import io.weft.engine.internal.EngineRequest;
import io.weft.engine.internal.control.ControlPlane;
import io.weft.engine.internal.control.socket.SocketControlPlane;
import io.weft.engine.internal.control.socket.SocketSettings;
import io.weft.spi.BackendProvider;
import io.weft.spi.DeviceMemoryProvider;
import io.weft.spi.EngineClock;
import io.weft.spi.Metrics;
import io.weft.spi.OptionValues;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Where an embedder gets an engine.
 *
 * {@snippet :
 * try (TransferEngine engine = Weft.builder().name("prefill-1").listen("10.0.0.1", 7700).open()) {
 *     Region pages = engine.allocate(MemoryLocation.HOST, 1L << 30, RegisterOptions.DEFAULT);
 *     engine.addPeer(decode);
 *     Transfer transfer = engine.write(pages, 0, theirs, 0, 4096, TransferOptions.DEFAULT);
 * }
 * }
 *
 * @since 0.1
 */
public final class Weft {
    private Weft() {}

    /**
     * Starts an engine with the configuration and the backends of this process.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Collects what an engine needs. Confined to one thread; setters return this builder.
     *
     * @since 0.1
     */
    public static final class Builder {
        private final Map<String, String> options = new LinkedHashMap<>();
        private final List<BackendProvider> providers = new ArrayList<>();
        private final List<DeviceMemoryProvider> deviceMemories = new ArrayList<>();
        private final List<OptionGroup> components = new ArrayList<>();
        private @Nullable Discovery discovery;
        private @Nullable ConfigurationSources sources;
        private @Nullable Executor executor;
        private EngineClock clock = EngineClock.SYSTEM;
        private EngineRequest.PlaneFactory plane = Builder::sockets;

        private Builder() {}

        /**
         * Names the engine; the wire key is the name, a dash and 8 hex digits of the incarnation.
         *
         * @param name a name, for people and as the stable part of the key
         * @return this
         */
        public Builder name(String name) {
            return option("weft.name", name);
        }

        /**
         * Sets where the engine listens.
         *
         * @param host address of this machine; a wildcard listens everywhere
         * @param port TCP port, 0 for any
         * @return this
         */
        public Builder listen(String host, int port) {
            return option("weft.listen.host", host).option("weft.listen.port", Integer.toString(port));
        }

        /**
         * Sets what peers are told to dial.
         *
         * @param host numeric address, never a wildcard
         * @param port TCP port, 0 for the listening one
         * @return this
         */
        public Builder advertise(String host, int port) {
            return option("weft.advertise.host", host).option("weft.advertise.port", Integer.toString(port));
        }

        /**
         * Sets an option. Comes before every other source.
         *
         * @param key a whole key, such as {@code weft.transfer.deadline} or {@code weft.backend.tcp.lanes}
         * @param value as a deployer would write it
         * @return this
         */
        public Builder option(String key, String value) {
            options.put(Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, "value"));
            return this;
        }

        /**
         * Uses a provider. As soon as one is given, none is looked for.
         *
         * @param provider the provider
         * @return this
         */
        public Builder provider(BackendProvider provider) {
            providers.add(Objects.requireNonNull(provider, "provider"));
            return this;
        }

        /**
         * Uses a provider of device memory, beside or instead of those that are looked for.
         *
         * @param memory the provider
         * @return this
         */
        public Builder deviceMemory(DeviceMemoryProvider memory) {
            deviceMemories.add(Objects.requireNonNull(memory, "memory"));
            return this;
        }

        /**
         * Looks for backends elsewhere than on the application's paths; given providers are added to it.
         *
         * @param where where to look
         * @return this
         */
        public Builder discovery(Discovery where) {
            discovery = Objects.requireNonNull(where, "where");
            return this;
        }

        /**
         * Takes option values from elsewhere than this process; {@link #option} still comes first.
         *
         * @param from the sources
         * @return this
         */
        public Builder configuration(ConfigurationSources from) {
            sources = Objects.requireNonNull(from, "from");
            return this;
        }

        /**
         * Adds options of a component beside the engine that are set by the same sources; without it they would be unknown.
         *
         * @param group the options
         * @return this
         */
        public Builder component(OptionGroup group) {
            components.add(Objects.requireNonNull(group, "group"));
            return this;
        }

        /**
         * Runs callbacks and listeners.
         *
         * @param callbacks an executor that outlives the engine; by default each callback gets a virtual thread. One that runs
         *     tasks on the thread that hands them over runs callbacks on threads that carry transfers: they must not block
         *     then, nor wait for a transfer or a session. What it throws is logged, and the callback gets a virtual thread
         * @return this
         */
        public Builder executor(Executor callbacks) {
            executor = Objects.requireNonNull(callbacks, "callbacks");
            return this;
        }

        /**
         * Replaces the clock of all deadlines, for tests.
         *
         * @param monotonic a monotonic clock
         * @return this
         */
        public Builder clock(EngineClock monotonic) {
            clock = Objects.requireNonNull(monotonic, "monotonic");
            return this;
        }

        Builder plane(EngineRequest.PlaneFactory factory) {
            plane = factory;
            return this;
        }

        /**
         * Opens the engine: resolves the configuration, probes and opens backends, listens. Blocks, bounded.
         *
         * @return an open engine, the caller's to close
         * @throws io.weft.config.ConfigurationException with everything that is wrong with the options
         * @throws WeftException UNSUPPORTED if no backend can be used, with each one's reason; RESOURCE_EXHAUSTED or
         *     PERMISSION if the address cannot be bound
         */
        public TransferEngine open() {
            Discovery where =
                    discovery != null ? discovery : providers.isEmpty() ? Discovery.ofApplication() : Discovery.empty();
            providers.forEach(where::with);
            deviceMemories.forEach(where::with);
            ConfigurationSources from = sources == null ? ConfigurationSources.ofProcess() : sources;
            return EngineAssembly.open(
                    new EngineRequest(where, from.plusApi(options), List.copyOf(components), executor, clock, plane));
        }

        private static ControlPlane sockets(OptionValues options, EngineClock clock, Metrics metrics) {
            String advertised = options.string(EngineOptions.ADVERTISE_HOST);
            return new SocketControlPlane(
                    SocketSettings.builder()
                            .listen(options.string(EngineOptions.LISTEN_HOST), (int)
                                    options.integer(EngineOptions.LISTEN_PORT))
                            .advertise(advertised.isEmpty() ? null : advertised, (int)
                                    options.integer(EngineOptions.ADVERTISE_PORT))
                            .secret(options.string(EngineOptions.SECRET))
                            .heartbeat(
                                    Duration.ofNanos(options.nanos(EngineOptions.HEARTBEAT)),
                                    Duration.ofNanos(options.nanos(EngineOptions.SUSPECT)),
                                    Duration.ofNanos(options.nanos(EngineOptions.LOST)))
                            .handshake(Duration.ofNanos(options.nanos(EngineOptions.CONTROL_TIMEOUT)))
                            .build(),
                    clock,
                    metrics);
        }
    }
}
