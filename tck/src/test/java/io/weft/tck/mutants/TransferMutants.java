package io.weft.tck.mutants;

import io.weft.api.EngineStats;
import io.weft.api.ErrorCode;
import io.weft.api.InboundTransfer;
import io.weft.api.MemoryDescriptor;
import io.weft.api.Notification;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import io.weft.api.WeftException;
import io.weft.spi.Link;
import java.io.Closeable;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.lang.reflect.Method;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Defects of transfers, notifications, and of an engine among many users. */
final class TransferMutants {
    private static final Cleaner CLEANER = Cleaner.create();

    private TransferMutants() {}

    static List<Mutant> all() {
        List<Mutant> all = new ArrayList<>(transfers());
        all.addAll(told());
        all.addAll(shared());
        return all;
    }

    private static List<Mutant> transfers() {
        return List.of(
                Mutant.engine(
                        "ERR-4",
                        "failures name no peer",
                        "must name target-",
                        Spoil.transfers((t, m, args) -> m.getName().equals("text")
                                ? t.text().replaceAll("[a-z]+-[0-9a-f]{8}", "a peer")
                                : Spoil.go(t, m, args))),
                Mutant.engine("ST-4", "a dropped handle cancels", "whose handles were dropped", (sound, m, args) -> {
                    Object result = Spoil.go(sound, m, args);
                    if (!(result instanceof Transfer transfer)) {
                        return result;
                    }
                    Transfer handle = Spoil.around(Transfer.class, transfer, Spoil::go);
                    CLEANER.register(handle, transfer::cancel);
                    return handle;
                }),
                Mutant.engine("CB-1", "callbacks hold a lock", "while a callback is blocked", new LockedCallbacks()),
                Mutant.engine("DL-4", "cancel cancels all", "must be SUCCEEDED", new CancelsAll()),
                Mutant.engine(
                        "DL-5",
                        "deregister does nothing",
                        "the first byte that changed at the target after deregister",
                        Spoil.regions((region, m, args) ->
                                m.getName().equals("deregister") ? null : Spoil.go(region, m, args))),
                Mutant.engine(
                        "TIME-1",
                        "deadlines are forgotten",
                        "while the engine stood still goes on",
                        (sound, m, args) -> {
                            for (int i = 0; i < args.length; i++) {
                                args[i] = args[i] instanceof TransferOptions o
                                        ? o.withDeadline(Duration.ofHours(10))
                                        : args[i];
                            }
                            return Spoil.go(sound, m, args);
                        }));
    }

    private static final class LockedCallbacks implements Spoil.Around<TransferEngine> {
        private final ReentrantLock lock = new ReentrantLock();

        @Override
        @SuppressWarnings("unchecked") // the only parameter of onCompletion
        public Object call(TransferEngine sound, Method method, Object[] args) throws Throwable {
            if (!method.getName().equals("write")) {
                return Spoil.go(sound, method, args);
            }
            lock.lock();
            try {
                Transfer transfer = (Transfer) Spoil.go(sound, method, args);
                return Spoil.around(Transfer.class, transfer, (t, m, given) -> {
                    if (m.getName().equals("onCompletion")) {
                        Consumer<Transfer> callback = (Consumer<Transfer>) given[0];
                        given[0] = (Consumer<Transfer>) ended -> {
                            lock.lock();
                            try {
                                callback.accept(ended);
                            } finally {
                                lock.unlock();
                            }
                        };
                    }
                    return Spoil.go(t, m, given);
                });
            } finally {
                lock.unlock();
            }
        }
    }

    private static final class CancelsAll implements Spoil.Around<TransferEngine> {
        private final Queue<Transfer> all = new ConcurrentLinkedQueue<>();

        @Override
        public Object call(TransferEngine sound, Method method, Object[] args) throws Throwable {
            Object result = Spoil.go(sound, method, args);
            if (!(result instanceof Transfer transfer)) {
                return result;
            }
            all.add(transfer);
            return Spoil.around(Transfer.class, transfer, (t, m, given) -> {
                if (m.getName().equals("cancel")) {
                    all.forEach(Transfer::cancel);
                }
                return Spoil.go(t, m, given);
            });
        }
    }

    private static List<Mutant> told() {
        return List.of(
                Mutant.engine(
                        "ERR-2",
                        "codes travel one too high",
                        "the number of DEADLINE_EXCEEDED",
                        notifications(notes -> notes.stream()
                                .map(n -> new Notification(
                                        n.peerKey(), n.transferId(), n.code() == 0 ? 0 : n.code() + 1, n.payload()))
                                .toList())),
                Mutant.engine(
                        "NOT-1",
                        "notifications come twice",
                        "notifications of 6 transfers",
                        notifications(notes -> notes.stream()
                                .flatMap(n -> List.of(n, n).stream())
                                .toList())),
                Mutant.engine(
                        "NOT-2",
                        "failures are not told",
                        "the target is told that a transfer ended",
                        notifications(notes ->
                                notes.stream().filter(n -> n.code() == 0).toList())),
                Mutant.spec(
                        "NOT-3",
                        "notifications have no bound",
                        "are counted as dropped",
                        Spoil.without("weft.notifications.limit")),
                Mutant.engine(
                        "NOT-4", "a notification to a plain peer stalls", "must be terminal", (sound, m, args) -> {
                            Object result = Spoil.go(sound, m, args);
                            return result instanceof Transfer t
                                            && args[2] instanceof MemoryDescriptor to
                                            && to.engineKey().startsWith("plain")
                                    ? Spoil.around(Transfer.class, t, TransferMutants::neverEnds)
                                    : result;
                        }),
                Mutant.engine("IN-1", "ends are seen again", "the same end, taken again", new TakesAgain()));
    }

    private static Object neverEnds(Transfer t, Method method, Object[] args) throws Throwable {
        return method.getReturnType() == TransferState.class ? TransferState.IN_PROGRESS : Spoil.go(t, method, args);
    }

    private static Spoil.Around<TransferEngine> notifications(UnaryOperator<List<Notification>> spoil) {
        return (sound, m, args) -> m.getName().equals("takeNotifications")
                ? spoil.apply(sound.takeNotifications((int) args[0]))
                : Spoil.go(sound, m, args);
    }

    private static final class TakesAgain implements Spoil.Around<TransferEngine> {
        private final Map<Object, Object> taken = new ConcurrentHashMap<>();

        @Override
        public Object call(TransferEngine sound, Method method, Object[] args) throws Throwable {
            Object result = Spoil.go(sound, method, args);
            if (!method.getName().equals("takeInbound")) {
                return result;
            }
            List<Object> key = Arrays.asList(args);
            if (result instanceof Optional<?> end && end.isPresent()) {
                taken.put(key, end.get());
            }
            return Optional.ofNullable((InboundTransfer) taken.get(key));
        }
    }

    private static List<Mutant> shared() {
        List<Closeable> kept = new ArrayList<>();
        AtomicInteger inside = new AtomicInteger();
        return List.of(
                Mutant.engine("OBS-1", "a success is not counted", "succeeded + failed", (sound, m, args) -> {
                    Object result = Spoil.go(sound, m, args);
                    return result instanceof EngineStats s
                            ? new EngineStats(
                                    s.started(),
                                    Math.max(0, s.succeeded() - 1),
                                    s.failed(),
                                    s.cancelled(),
                                    s.inFlight(),
                                    s.bytes(),
                                    s.notificationsDropped(),
                                    s.registeredBytes())
                            : result;
                }),
                Mutant.engine(
                        "LIFE-1",
                        "a closed engine is a defect",
                        "addPeer on a closed engine threw",
                        (sound, m, args) -> {
                            try {
                                return Spoil.go(sound, m, args);
                            } catch (WeftException refused) {
                                if (m.getName().equals("addPeer") && refused.code() == ErrorCode.CLOSED) {
                                    throw new IllegalStateException("closed", refused);
                                }
                                throw refused;
                            }
                        }),
                Mutant.engine("CON-1", "one thread at a time", "threads on one engine", (sound, m, args) -> {
                    if (!m.getName().equals("write")) {
                        return Spoil.go(sound, m, args);
                    }
                    try {
                        if (inside.incrementAndGet() > 1) {
                            throw new IllegalStateException("another thread is here");
                        }
                        LockSupport.parkNanos(100_000);
                        return Spoil.go(sound, m, args);
                    } finally {
                        inside.decrementAndGet();
                    }
                }),
                Mutant.posts(
                        "CON-2",
                        "one direction starves the other",
                        "of two engines that write to each other",
                        (context, link, operation) ->
                                context.engineKey().startsWith("target") ? Link.WOULD_BLOCK : link.post(operation)),
                Mutant.engine("BP-2", "peers wait for each other", "must be terminal", new OnePeerAtATime()),
                Mutant.engine("BP-3", "close leaves a file open", "left no more than", (sound, m, args) -> {
                    if (m.getName().equals("close")) {
                        keepOneMore(kept);
                    }
                    return Spoil.go(sound, m, args);
                }));
    }

    private static void keepOneMore(List<Closeable> kept) throws IOException {
        kept.add(FileChannel.open(Path.of(System.getProperty("java.home"), "release")));
    }

    /** A write waits until none to another peer is in flight. */
    private static final class OnePeerAtATime implements Spoil.Around<TransferEngine> {
        private final Map<Transfer, String> peers = new ConcurrentHashMap<>();

        @Override
        public Object call(TransferEngine sound, Method method, Object[] args) throws Throwable {
            if (!method.getName().equals("write") || !(args[2] instanceof MemoryDescriptor to)) {
                return Spoil.go(sound, method, args);
            }
            Optional<Transfer> other = peers.entrySet().stream()
                    .filter(e -> !e.getValue().equals(to.engineKey()))
                    .map(Map.Entry::getKey)
                    .filter(t -> !t.state().isTerminal())
                    .findFirst();
            other.ifPresent(t -> args[5] =
                    TransferOptions.DEFAULT.withReadyWhen(() -> t.state().isTerminal()));
            Transfer transfer = (Transfer) Spoil.go(sound, method, args);
            peers.put(transfer, to.engineKey());
            return transfer;
        }
    }
}
