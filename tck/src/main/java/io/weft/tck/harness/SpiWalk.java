package io.weft.tck.harness;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.spi.Backend;
import io.weft.spi.BackendProvider;
import io.weft.spi.Link;
import io.weft.spi.LocalMemory;
import io.weft.spi.OperationKind;
import io.weft.spi.OptionValues;
import io.weft.spi.Peer;
import io.weft.spi.ProbeContext;
import io.weft.spi.RemoteMemory;
import io.weft.spi.TransferSupport;
import io.weft.tck.report.Step;
import io.weft.tck.report.Unwritten;
import io.weft.testkit.CopiedOperation;
import io.weft.testkit.lone.LoneContext;
import io.weft.testkit.lone.LoneMemory;
import io.weft.testkit.lone.LoneOptions;
import io.weft.testkit.lone.RecordedLink;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls every obligatory method of a backend once, in the order in which they are written, between two backends opened alone, to
 * see which are not there yet. Says nothing about whether they do the right thing: that is for the rules. Confined to one thread.
 */
final class SpiWalk {
    private static final Duration WHOLE = Duration.ofSeconds(15);
    private static final Duration STEP = Duration.ofSeconds(2);
    private static final long LENGTH = 64;

    private final BackendProvider provider;
    private final Map<String, String> options;
    private final List<Unwritten> found = new CopyOnWriteArrayList<>();
    private final LoneContext.Neighbourhood neighbourhood = new LoneContext.Neighbourhood();
    private volatile String current = "";
    private volatile Step step = Step.PROVIDER;

    private SpiWalk(BackendProvider provider, Map<String, String> options) {
        this.provider = provider;
        this.options = options;
    }

    /**
     * Walks. Blocks for at most {@link #WHOLE}, whatever the backend does.
     *
     * @return what is not there, in the order of the guide
     */
    static List<Unwritten> unwritten(BackendProvider provider, Map<String, String> options) {
        SpiWalk walk = new SpiWalk(provider, options);
        Thread thread = Thread.ofPlatform().daemon().name("weft-tck-walk").start(walk::whole);
        boolean interrupted = false;
        try {
            if (!thread.join(WHOLE)) {
                walk.found.add(
                        new Unwritten(walk.step, walk.current, "did not return within " + WHOLE.toSeconds() + " s"));
            }
        } catch (InterruptedException soon) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        List<Unwritten> ordered = new ArrayList<>(walk.found);
        ordered.sort((a, b) -> a.step().compareTo(b.step()));
        return ordered;
    }

    private void whole() {
        OptionValues values =
                given(Step.PROVIDER, "BackendProvider.options", () -> new LoneOptions(provider.options(), options));
        given(Step.PROVIDER, "BackendProvider.builtFor", provider::builtFor);
        if (values == null) {
            return;
        }
        given(Step.PROBE, "BackendProvider.probe", () -> provider.probe(probeContext(values)));
        LoneContext left = given(Step.OPEN, "BackendProvider.open", () -> open("weft-tck-left"));
        LoneContext right =
                left == null ? null : given(Step.OPEN, "BackendProvider.open", () -> open("weft-tck-right"));
        if (left == null || right == null) {
            return;
        }
        backends(left, right);
        tried(Step.OPEN, "Backend.close", () -> left.backend().close(soon()));
        tried(Step.OPEN, "Backend.close", () -> right.backend().close(soon()));
    }

    private LoneContext open(String key) {
        return LoneContext.open(neighbourhood, key, provider, options);
    }

    private void backends(LoneContext left, LoneContext right) {
        Backend own = left.backend();
        var capabilities = given(Step.OPEN, "Backend.capabilities", own::capabilities);
        given(Step.OPEN, "Backend.limits", own::limits);
        given(Step.OPEN, "Backend.localAddress", own::localAddress);
        List<TransferSupport> declared = capabilities == null ? List.of() : capabilities.transfers();
        if (capabilities != null && declared.isEmpty()) {
            found.add(new Unwritten(Step.OPEN, "Backend.capabilities", "it declares no transfer at all"));
        }
        boolean host = declared.isEmpty()
                || declared.stream()
                        .anyMatch(t -> t.local().isHost() && t.remote().isHost());
        if (!host) {
            return; // memory of other kinds is not the kit's to make here
        }
        Arena arena = Arena.ofAuto();
        LoneMemory here = new LoneMemory(1, arena.allocate(LENGTH));
        LoneMemory there = new LoneMemory(2, arena.allocate(LENGTH));
        LocalMemory source = given(Step.MEMORY, "Backend.register", () -> own.register(here));
        LocalMemory target = source == null
                ? null
                : given(Step.MEMORY, "Backend.register", () -> right.backend().register(there));
        RemoteMemory remote = target == null ? null : imported(left, right, there, target);
        RecordedLink events = new RecordedLink();
        Link link = given(Step.LINKS, "Backend.connect", () -> own.connect(left.peer(right), events, soon()));
        if (link != null) {
            if (source != null && remote != null && post(left, right, link, OperationKind.WRITE, source, remote)) {
                post(left, right, link, OperationKind.READ, source, remote);
            }
            tried(Step.FENCES, "Link.fence", () -> link.fence(soon()));
            tried(Step.FENCES, "Link.close", link::close);
        }
        tried(Step.FENCES, "Backend.fencePeer", () -> right.backend().fencePeer(right.peer(left), soon()));
        if (target != null) {
            tried(Step.MEMORY, "Backend.deregister", () -> right.backend().deregister(target, soon()));
        }
        if (source != null && target != null) {
            tried(Step.MEMORY, "Backend.deregister", () -> own.deregister(source, soon()));
        }
    }

    private @Nullable RemoteMemory imported(LoneContext left, LoneContext right, LoneMemory there, LocalMemory target) {
        Peer initiator = right.peer(left);
        byte[] key =
                given(Step.MEMORY, "Backend.exportKey", () -> right.backend().exportKey(initiator, target));
        return key == null
                ? null
                : given(
                        Step.MEMORY,
                        "Backend.importKey",
                        () -> left.backend().importKey(left.peer(right), there.descriptor(right.engineKey()), key));
    }

    /** False if the other direction would only wait in vain once more. */
    private boolean post(
            LoneContext left,
            LoneContext right,
            Link link,
            OperationKind kind,
            LocalMemory source,
            RemoteMemory remote) {
        boolean declared = left.backend().capabilities().transfers().stream()
                .anyMatch(t ->
                        t.kind() == kind && t.local().isHost() && t.remote().isHost());
        if (!declared) {
            return true;
        }
        String method = "Link.post of a " + kind;
        long token = kind.ordinal() + 1L;
        CopiedOperation operation = new CopiedOperation(token, kind, source, remote, new long[][] {{0, 0, LENGTH}});
        Integer answer = given(Step.LINKS, method, () -> link.post(operation));
        if (answer == null) {
            return true;
        }
        if (answer == ErrorCode.UNSUPPORTED.number()) {
            found.add(new Unwritten(Step.LINKS, method, "it answered UNSUPPORTED, though capabilities declares it"));
        } else if (answer == Link.ACCEPTED) {
            long end = soon();
            while (left.completions().of(token).isEmpty()) {
                if (System.nanoTime() - end > 0) {
                    found.add(new Unwritten(
                            Step.LINKS,
                            "completions",
                            method + " was accepted, and nothing reported its token to BackendContext.completions"
                                    + " within " + STEP.toSeconds() + " s"));
                    return false;
                }
                tried(Step.LINKS, "ProgressSource.progress", () -> drive(left));
                tried(Step.LINKS, "ProgressSource.progress", () -> drive(right));
                LockSupport.parkNanos(100_000);
            }
        }
        return true;
    }

    /** As core's threads would. */
    private static void drive(LoneContext context) {
        context.backend().progressSources().forEach(source -> source.progress(64));
    }

    private static ProbeContext probeContext(OptionValues values) {
        return new ProbeContext() {
            @Override
            public OptionValues options() {
                return values;
            }

            @Override
            public long deadlineNanos() {
                return soon();
            }
        };
    }

    private static long soon() {
        return System.nanoTime() + STEP.toNanos();
    }

    /** Null if the method is not there yet, or did not work, which the rules will tell. */
    private <T> @Nullable T given(Step of, String method, Supplier<@Nullable T> call) {
        step = of;
        current = method;
        try {
            T value = call.get();
            if (value == null) {
                add(of, method, "it returned null");
            }
            return value;
        } catch (VirtualMachineError notTheBackends) {
            throw notTheBackends;
        } catch (RuntimeException | Error failed) {
            isUnwritten(failed).ifPresent(seen -> add(of, method, seen));
            return null;
        }
    }

    private void tried(Step of, String method, Runnable call) {
        given(of, method, () -> {
            call.run();
            return true;
        });
    }

    private void add(Step of, String method, String seen) {
        Unwritten one = new Unwritten(of, method, seen);
        if (!found.contains(one)) {
            found.add(one);
        }
    }

    /** What half-written methods throw. */
    private static Optional<String> isUnwritten(Throwable thrown) {
        boolean says = thrown instanceof UnsupportedOperationException
                || thrown instanceof AbstractMethodError
                || thrown instanceof WeftException refused && refused.code() == ErrorCode.UNSUPPORTED
                || thrown.getClass().getSimpleName().startsWith("NotImplemented");
        if (!says) {
            return Optional.empty();
        }
        StackTraceElement[] stack = thrown.getStackTrace();
        return Optional.of("it threw " + thrown + (stack.length == 0 ? "" : " at " + stack[0]));
    }
}
