package io.weft.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.api.Candidate;
import io.weft.api.MemoryKind;
import io.weft.api.MemoryLocation;
import io.weft.api.Region;
import io.weft.api.RegisterOptions;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import io.weft.api.Verdict;
import io.weft.config.ConfigurationException;
import io.weft.config.ConfigurationSources;
import io.weft.config.OptionGroup;
import io.weft.discovery.Discovery;
import io.weft.spi.BackendProvider;
import io.weft.spi.EngineClock;
import io.weft.spi.OptionSpec;
import io.weft.testkit.ForwardingProvider;
import io.weft.testkit.mem.MemProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an embedder may replace, whichever way the engine is put together. */
@Timeout(60)
public abstract class EmbeddingContract {
    /**
     * What the embedder sets; null and empty mean Weft's own.
     *
     * @param options values of options
     * @param providers backends
     * @param components options beside the engine's
     * @param sources where other values come from
     * @param discovery where backends are looked for
     * @param clock the clock
     * @param callbacks the executor
     */
    public record Replacements(
            Map<String, String> options,
            List<BackendProvider> providers,
            List<OptionGroup> components,
            ConfigurationSources sources,
            Discovery discovery,
            EngineClock clock,
            Executor callbacks) {
        static Replacements none() {
            return new Replacements(
                    Map.of(), List.of(), List.of(), ConfigurationSources.none(Path.of("target")), null, null, null);
        }

        Replacements options(Map<String, String> value) {
            return new Replacements(value, providers, components, sources, discovery, clock, callbacks);
        }

        Replacements provider(BackendProvider value) {
            return new Replacements(options, List.of(value), components, sources, discovery, clock, callbacks);
        }

        Replacements component(OptionGroup value) {
            return new Replacements(options, providers, List.of(value), sources, discovery, clock, callbacks);
        }

        Replacements sources(ConfigurationSources value) {
            return new Replacements(options, providers, components, value, discovery, clock, callbacks);
        }

        Replacements discovery(Discovery value) {
            return new Replacements(options, providers, components, sources, value, clock, callbacks);
        }

        Replacements clock(EngineClock value) {
            return new Replacements(options, providers, components, sources, discovery, value, callbacks);
        }

        Replacements callbacks(Executor value) {
            return new Replacements(options, providers, components, sources, discovery, clock, value);
        }
    }

    protected abstract TransferEngine open(Replacements replacements);

    @Test
    void withNothingReplacedTheBackendsOfThePathAreUsed() throws InterruptedException {
        try (TransferEngine engine = open(Replacements.none())) {
            assertThat(writeToItself(engine)).isEqualTo(TransferState.SUCCEEDED);
            assertThat(verdict(engine, "mem").verdict()).isEqualTo(Verdict.CHOSEN);
        }
    }

    @Test
    void aGivenProviderIsTheOnlyOne() throws InterruptedException {
        try (TransferEngine engine = open(Replacements.none().provider(new MemProvider()))) {
            assertThat(writeToItself(engine)).isEqualTo(TransferState.SUCCEEDED);
            assertThat(verdict(engine, "mem").source()).contains("(application)");
        }
    }

    @Test
    void optionsComeFromTheGivenSourcesAndTheProgramComesFirst() {
        ConfigurationSources sources = ConfigurationSources.none(Path.of("target"))
                .withEnvironment(Map.of("WEFT_NAME", "env", "WEFT_EXACT_KEY", "true"));

        try (TransferEngine engine = open(Replacements.none().sources(sources))) {
            assertThat(engine.descriptor().key()).isEqualTo("env");
        }
        try (TransferEngine engine =
                open(Replacements.none().sources(sources).options(Map.of("weft.name", "program")))) {
            assertThat(engine.descriptor().key()).isEqualTo("program");
        }
    }

    @Test
    void allErrorsOfTheOptionsAreToldAtOnce() {
        Replacements wrong = Replacements.none()
                .options(Map.of("weft.nmae", "x", "weft.transfer.deadline", "30", "weft.trust", "no"));

        assertThatThrownBy(() -> open(wrong).close())
                .isInstanceOfSatisfying(
                        ConfigurationException.class,
                        e -> assertThat(e.problems()).hasSize(3))
                .hasMessageContaining("weft.nmae (set by the program): no such option; did you mean weft.name?")
                .hasMessageContaining("'30': the unit is missing");
    }

    @Test
    void optionsOfAnotherComponentAreKnownOnceItIsAdded() {
        OptionGroup cache = new OptionGroup(
                "cache", "weft.cache.", "a cache", List.of(OptionSpec.integer("pages", 1, 1, 9, "Pages.")));
        Replacements set = Replacements.none().options(Map.of("weft.cache.pages", "2"));

        open(set.component(cache)).close();
        assertThatThrownBy(() -> open(set).close()).hasMessageContaining("weft.cache.pages");
    }

    @Test
    void discoveryIsReplacedAndItsVerdictsAreExplained() {
        Discovery discovery = Discovery.ofApplication().with(new Renamed("other"));

        try (TransferEngine engine =
                open(Replacements.none().discovery(discovery).options(Map.of("weft.backends.deny", "mem")))) {
            assertThat(verdict(engine, "mem").verdict()).isEqualTo(Verdict.DISABLED);
            assertThat(verdict(engine, "mem").evidence()).isEqualTo("weft.backends.deny names mem");
            assertThat(verdict(engine, "other").verdict()).isEqualTo(Verdict.CHOSEN);
        }
    }

    @Test
    void callbacksRunOnTheGivenExecutor() throws Exception {
        CompletableFuture<String> ranOn = new CompletableFuture<>();
        Executor mine = task -> Thread.ofPlatform().name("mine").start(task);

        try (TransferEngine engine = open(Replacements.none().callbacks(mine))) {
            write(engine)
                    .onCompletion(done -> ranOn.complete(Thread.currentThread().getName()));
            assertThat(ranOn.get(10, TimeUnit.SECONDS)).isEqualTo("mine");
        }
    }

    @Test
    void theClockIsReplaced() throws InterruptedException {
        AtomicLong asked = new AtomicLong();
        CountDownLatch many = new CountDownLatch(10);
        EngineClock counting = () -> {
            asked.incrementAndGet();
            many.countDown();
            return System.nanoTime();
        };

        try (TransferEngine engine = open(Replacements.none().clock(counting))) {
            assertThat(writeToItself(engine)).isEqualTo(TransferState.SUCCEEDED);
        }
        assertThat(asked).hasPositiveValue();
    }

    private static TransferState writeToItself(TransferEngine engine) throws InterruptedException {
        Transfer transfer = write(engine);
        return transfer.await(Duration.ofSeconds(10));
    }

    private static Transfer write(TransferEngine engine) {
        Region from = engine.allocate(MemoryLocation.HOST, 4096, RegisterOptions.DEFAULT);
        Region to = engine.allocate(MemoryLocation.HOST, 4096, RegisterOptions.DEFAULT);
        return engine.write(from, 0, to.descriptor(), 0, 4096, TransferOptions.DEFAULT);
    }

    private static Candidate verdict(TransferEngine engine, String name) {
        return engine.explain(engine.descriptor().key(), MemoryKind.HOST, MemoryKind.HOST).candidates().stream()
                .filter(c -> c.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no candidate " + name));
    }

    private static final class Renamed extends ForwardingProvider {
        private final String name;

        Renamed(String name) {
            super(new MemProvider());
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }
    }
}
