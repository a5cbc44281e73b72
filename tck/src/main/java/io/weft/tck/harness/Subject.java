package io.weft.tck.harness;

import io.weft.api.TransferEngine;
import io.weft.config.ConfigurationSources;
import io.weft.discovery.BackendEntry;
import io.weft.discovery.Discovery;
import io.weft.engine.Weft;
import io.weft.kv.RankDirectory;
import io.weft.spi.BackendProvider;
import io.weft.spi.DeviceMemoryProvider;
import io.weft.spi.EngineClock;
import io.weft.tck.TckConfig;
import io.weft.tck.report.Unwritten;
import io.weft.testkit.AssertingProvider;
import io.weft.testkit.lone.LoneContext;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** The backend under test, and the engines opened over it. Safe from any thread. */
public final class Subject {
    private final TckConfig config;
    private final BackendEntry entry;
    private final Optional<Sabotage> sabotage;
    private final List<AssertingProvider> wrappers = new CopyOnWriteArrayList<>();

    private Subject(TckConfig config, BackendEntry entry, Optional<Sabotage> sabotage) {
        this.config = config;
        this.entry = entry;
        this.sabotage = sabotage;
    }

    /**
     * Finds the backend.
     *
     * @param config names it
     * @return the subject
     * @throws HarnessBroken if no such backend can be loaded
     */
    public static Subject of(TckConfig config) {
        var catalogue = ServiceLoader.load(BackendFinder.class)
                .findFirst()
                .map(BackendFinder::discovery)
                .orElseGet(Discovery::ofApplication)
                .backends();
        BackendEntry entry = catalogue
                .find(config.backend())
                .orElseThrow(() -> new HarnessBroken("backend " + config.backend()
                        + " is not on the path or among the plug-ins; there are: "
                        + catalogue.entries().stream()
                                .map(e -> e.refused().isPresent() ? e.name() + " (" + e.evidence() + ")" : e.name())
                                .collect(Collectors.joining(", "))));
        return new Subject(config, entry, config.mutant().map(Subject::sabotage));
    }

    private static Sabotage sabotage(String name) {
        return ServiceLoader.load(Sabotage.Source.class).stream()
                .<Sabotage>flatMap(source -> source.get().all().stream())
                .filter(s -> s.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new HarnessBroken("no mutant is named " + name));
    }

    /**
     * The provider as rules see it.
     *
     * @return the provider, spoiled by the run's mutant
     */
    public BackendProvider provider() {
        BackendProvider sound = entry.provider().orElseThrow();
        return sabotage.map(s -> s.backend(sound)).orElse(sound);
    }

    /**
     * The descriptors' format as rules see it.
     *
     * @return the format, spoiled by the run's mutant
     */
    public Codec codec() {
        return sabotage.map(s -> s.codec(Codec.CORE)).orElse(Codec.CORE);
    }

    /**
     * A rank's rooms as rules see them.
     *
     * @param rank the rank
     * @return its rooms, spoiled by the run's mutant
     */
    public KvRooms rooms(KvRooms rank) {
        return sabotage.map(s -> s.rooms(rank)).orElse(rank);
    }

    /**
     * How ranks find each other, as rules see it.
     *
     * @param directory the directory
     * @return the directory, spoiled by the run's mutant
     */
    public RankDirectory directory(RankDirectory directory) {
        return sabotage.map(s -> s.directory(directory)).orElse(directory);
    }

    /**
     * Opens the backend alone and asks what it can do.
     *
     * @return the facts
     */
    public Facts facts() {
        BackendProvider provider = provider();
        LoneContext context =
                LoneContext.open(new LoneContext.Neighbourhood(), "weft-tck-facts", provider, config.options());
        try {
            return new Facts(
                    provider.name(),
                    provider.version(),
                    provider.builtFor().toString(),
                    source(),
                    context.backend().capabilities(),
                    context.backend().limits(),
                    DeviceKinds.provider(config).map(DeviceMemoryProvider::kind));
        } finally {
            context.backend().close();
        }
    }

    /**
     * Looks for parts of the backend that are not there yet. Takes seconds if something is missing.
     *
     * @return in the order of the guide; empty for a mutant, whose defect is deliberate
     */
    List<Unwritten> unwritten() {
        return sabotage.isPresent() ? List.of() : SpiWalk.unwritten(provider(), config.options());
    }

    /** The jar's name without its directory, since certificates are read on other machines. */
    private String source() {
        return new File(entry.source().location()).getName() + " ("
                + entry.source().layer() + ")";
    }

    /**
     * Opens an engine over the backend alone, on loopback, isolated from the configuration of the process.
     *
     * @param wanted what to open
     * @return an open engine
     */
    public TransferEngine open(EngineSpec wanted) {
        return open(wanted, Optional.empty(), EngineClock.SYSTEM);
    }

    /**
     * Opens an engine over a decorated backend.
     *
     * @param wanted what to open
     * @param decorator put around the backend; what it does is the test's own, so only core's promises are checked
     * @param clock the engine's clock
     * @return an open engine
     */
    public TransferEngine open(
            EngineSpec wanted, Optional<UnaryOperator<BackendProvider>> decorator, EngineClock clock) {
        EngineSpec spec = sabotage.map(s -> s.spec(wanted)).orElse(wanted);
        BackendProvider provider = decorator.map(d -> d.apply(provider())).orElseGet(this::provider);
        if (spec.checked()) {
            AssertingProvider asserting =
                    decorator.isPresent() ? AssertingProvider.ofCore(provider) : AssertingProvider.of(provider);
            wrappers.add(asserting);
            provider = asserting;
        }
        Weft.Builder builder = Weft.builder()
                .configuration(ConfigurationSources.none(Path.of("weft-tck-has-no-configuration-file")))
                .provider(provider)
                .name(spec.name())
                .clock(clock)
                .listen("127.0.0.1", 0);
        for (Map.Entry<String, String> option : config.options().entrySet()) {
            builder.option("weft.backend." + config.backend() + "." + option.getKey(), option.getValue());
        }
        DeviceKinds.provider(config).ifPresent(builder::deviceMemory);
        spec.options().forEach(builder::option);
        TransferEngine engine = builder.open();
        return sabotage.map(s -> s.engine(engine, spec)).orElse(engine);
    }

    /**
     * Promises between core and backend that were broken since the last call.
     *
     * @return one text each
     */
    public List<String> takeViolations() {
        List<String> texts =
                wrappers.stream().flatMap(w -> w.violations().texts().stream()).toList();
        wrappers.clear();
        return texts;
    }
}
