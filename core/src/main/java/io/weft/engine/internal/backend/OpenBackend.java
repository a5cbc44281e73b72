package io.weft.engine.internal.backend;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryKind;
import io.weft.api.WeftException;
import io.weft.engine.internal.concurrent.Waiting;
import io.weft.engine.internal.control.BackendHello;
import io.weft.engine.internal.transfer.AwaitedProgress;
import io.weft.spi.Backend;
import io.weft.spi.BackendProvider;
import io.weft.spi.Capabilities;
import io.weft.spi.Limits;
import io.weft.spi.OptionValues;
import io.weft.spi.PeerRequests;
import io.weft.spi.WireClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** An open backend of one engine, with what the engine keeps beside it. Safe from any thread. */
public final class OpenBackend {
    private final int index;
    private final String name;
    private final String version;
    private final int priority;
    private final String spiLevel;
    private final String source;
    private final Guard guard;
    private final OpenContext context;
    private final SlotTable slots;
    private final Counters counters;
    private final Backend backend;
    private final Capabilities capabilities;
    private final Limits limits;
    private final byte[] address;
    private final List<ProgressThread> progress = new ArrayList<>();
    /** Ends with {@link #close}: whether nothing of the backend is left. */
    private final CompletableFuture<Boolean> closed = new CompletableFuture<>();

    private OpenBackend(
            int index,
            BackendProvider provider,
            String source,
            Guard guard,
            OpenContext context,
            SlotTable slots,
            Counters counters,
            Backend backend) {
        this.index = index;
        this.name = provider.name();
        this.version = provider.version();
        this.priority = provider.priority();
        this.spiLevel = provider.builtFor().toString();
        this.source = source;
        this.guard = guard;
        this.context = context;
        this.slots = slots;
        this.counters = counters;
        this.backend = backend;
        this.capabilities = backend.capabilities();
        this.limits = backend.limits();
        this.address = backend.localAddress().clone();
    }

    /**
     * Opens a backend and starts what drives it. Blocks as long as the backend does.
     *
     * @param index number among the engine's open backends
     * @param provider a probed provider
     * @param source where the provider came from, for explanations
     * @param options its option values
     * @param environment what all backends get
     * @return the open backend
     * @throws WeftException what the backend said, or INTERNAL naming it
     */
    public static OpenBackend open(
            int index, BackendProvider provider, String source, OptionValues options, BackendEnvironment environment) {
        Guard guard = new Guard(provider.name());
        return guard.call("open", () -> {
            SlotTable slots = new SlotTable();
            Counters counters = new Counters();
            counters.gauge("completions.stale", slots::stale);
            OpenContext context = new OpenContext(environment, index, provider.name(), options, slots, counters);
            Backend backend = provider.open(context);
            OpenBackend open = new OpenBackend(index, provider, source, guard, context, slots, counters, backend);
            backend.progressSources().forEach(driven -> open.drive(driven, environment));
            return open;
        });
    }

    private void drive(io.weft.spi.ProgressSource source, BackendEnvironment environment) {
        ProgressThread thread = new ProgressThread(source, capabilities, guard);
        progress.add(thread);
        thread.start(environment.threads().named(source.name()));
    }

    /**
     * Its number among the engine's backends.
     *
     * @return an index into arrays of handles
     */
    public int index() {
        return index;
    }

    /**
     * The provider's name.
     *
     * @return the name
     */
    public String name() {
        return name;
    }

    /**
     * The provider's version.
     *
     * @return the version
     */
    public String version() {
        return version;
    }

    /**
     * The provider's rank.
     *
     * @return higher comes first
     */
    public int priority() {
        return priority;
    }

    /**
     * The SPI level the provider was built for.
     *
     * @return {@code major.minor}
     */
    public String spiLevel() {
        return spiLevel;
    }

    /**
     * Where the provider came from.
     *
     * @return a jar, a module or the program
     */
    public String source() {
        return source;
    }

    /**
     * Wraps calls into it.
     *
     * @return the guard
     */
    public Guard guard() {
        return guard;
    }

    /**
     * The backend itself; call it behind the {@link #guard}.
     *
     * @return the backend
     */
    public Backend spi() {
        return backend;
    }

    /**
     * What it can do.
     *
     * @return the capabilities, asked once
     */
    public Capabilities capabilities() {
        return capabilities;
    }

    /**
     * What fits.
     *
     * @return the limits, asked once
     */
    public Limits limits() {
        return limits;
    }

    /**
     * Its operations.
     *
     * @return the table
     */
    public SlotTable slots() {
        return slots;
    }

    /**
     * What it counted.
     *
     * @return its metrics
     */
    public Counters counters() {
        return counters;
    }

    /**
     * How long it may take to make a link quiet.
     *
     * @return nanoseconds
     */
    public long quiesceNanos() {
        return capabilities.quiesceTime().toNanos();
    }

    /**
     * Who answers peers' calls.
     *
     * @return the server, empty if the backend set none
     */
    public Optional<PeerRequests> requests() {
        return context.requests();
    }

    /**
     * Its claim on accepted connections.
     *
     * @return the claim, empty for most backends
     */
    public Optional<WireClaim> wireClaim() {
        return guard.call("tell its wire claim", () -> backend.extension(WireClaim.class));
    }

    /**
     * Whether it registers memory of a kind.
     *
     * @param kind a memory kind
     * @return true if some declared transfer has it as its local side
     */
    public boolean registers(MemoryKind kind) {
        return capabilities.transfers().stream().anyMatch(t -> t.local().equals(kind));
    }

    /**
     * What to tell peers.
     *
     * @return its part of the hello
     */
    public BackendHello hello() {
        return new BackendHello(name, version, address.clone(), capabilities.enforcement(), capabilities.transfers());
    }

    /**
     * How threads that await its transfers take part in its progress.
     *
     * @return null if it makes progress by itself, or has several sources
     */
    public @Nullable AwaitedProgress awaited() {
        return progress.size() == 1 ? progress.getFirst().awaited() : null;
    }

    /** Wakes what drives it: something was posted. Never blocks. */
    public void nudge() {
        for (int i = 0; i < progress.size(); i++) {
            progress.get(i).nudge();
        }
    }

    /**
     * Ends the progress threads, then closes the backend: what a source uses is freed only when nobody is in it. Links are fenced
     * by then, and a backend's close fences without its sources.
     *
     * @param deadlineNanos the bound, a value of the engine's clock
     * @throws WeftException saying what is left
     */
    public void close(long deadlineNanos) {
        progress.forEach(ProgressThread::stop);
        long patience = Math.max(0, deadlineNanos - context.clock().nanos()) / 2;
        long end = System.nanoTime() + patience;
        for (ProgressThread thread : progress) {
            if (!thread.join(end - System.nanoTime())) {
                throw new WeftException(
                        ErrorCode.INTERNAL,
                        "close backend " + name + ": progress source " + thread.name()
                                + " did not come back from its backend in " + patience / 1_000_000
                                + " ms; its thread is left behind, and the backend open, since closing frees what the thread uses");
            }
        }
        guard.shut(end - System.nanoTime()); // a call that is still inside is one that close has to end
        try {
            guard.last("close", () -> backend.close(deadlineNanos));
            closed.complete(true);
        } finally {
            closed.complete(false);
        }
    }

    /**
     * Whether it refuses calls because it is being closed, and is closed in time: then no memory is held and nobody let in.
     *
     * @param deadlineNanos how long to wait for the end of {@link #close}, a value of the engine's clock
     * @return false if it is open, not closed in time, or could not be closed
     */
    public boolean isClosedBy(long deadlineNanos) {
        if (!guard.isShut()) {
            return false;
        }
        return Waiting.until(context.clock(), deadlineNanos, left -> {
            try {
                return closed.get(left, TimeUnit.NANOSECONDS);
            } catch (ExecutionException | TimeoutException no) {
                return false;
            }
        });
    }
}
