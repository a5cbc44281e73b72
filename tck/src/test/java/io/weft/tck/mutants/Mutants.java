package io.weft.tck.mutants;

import io.weft.api.AwaitResult;
import io.weft.api.EngineDescriptor;
import io.weft.api.ErrorCode;
import io.weft.api.MemoryLocation;
import io.weft.api.PairTransfer;
import io.weft.api.Region;
import io.weft.api.RegisterOptions;
import io.weft.api.SegmentTable;
import io.weft.api.SharedSegments;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import io.weft.api.WeftException;
import io.weft.spi.BackendContext;
import io.weft.spi.Link;
import io.weft.spi.Operation;
import io.weft.spi.OperationKind;
import io.weft.tck.harness.Codec;
import io.weft.tck.harness.EngineSpec;
import io.weft.tck.harness.Sabotage;
import io.weft.testkit.CopiedOperation;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Every defect. */
public final class Mutants implements Sabotage.Source {
    @Override
    public List<Mutant> all() {
        List<Mutant> all = new ArrayList<>();
        all.addAll(spoiledBytes());
        all.addAll(spoiledArguments());
        all.addAll(spoiledTransfers());
        all.addAll(spoiledMemory());
        all.addAll(spoiledRest());
        all.addAll(spoiledCombinations());
        all.addAll(MemoryMutants.all());
        all.addAll(TransferMutants.all());
        all.addAll(PeerMutants.all());
        all.addAll(DeviceMutants.all());
        all.addAll(KvMutants.all());
        return all;
    }

    private static List<Mutant> spoiledBytes() {
        return List.of(
                Mutant.posts(
                        "WR-1",
                        "a write misses the last byte",
                        "the target's region: ",
                        edit(OperationKind.WRITE, c -> {
                            int last = c.lengths().length - 1;
                            c.lengths()[last] -= c.lengths()[last] > 1 ? 1 : 0;
                        })),
                Mutant.posts(
                        "RD-1",
                        "a read misses the last byte",
                        "the initiator's region: ",
                        edit(OperationKind.READ, c -> {
                            int last = c.lengths().length - 1;
                            c.lengths()[last] -= c.lengths()[last] > 1 ? 1 : 0;
                        })),
                Mutant.posts(
                        "WR-2",
                        "a write of many segments swaps two sources",
                        "the target's region: ",
                        edit(OperationKind.WRITE, Mutants::swapTwoOfMany)),
                Mutant.posts(
                        "RD-2",
                        "a read of many segments swaps two destinations",
                        "the initiator's region: ",
                        edit(OperationKind.READ, Mutants::swapTwoOfMany)),
                Mutant.posts(
                        "REG-8",
                        "remote offsets are rounded down to 8",
                        "the region after ",
                        edit(OperationKind.WRITE, c -> c.remoteOffsets()[0] &= ~7L)),
                Mutant.posts(
                        "WR-10",
                        "writes go one byte too far",
                        "after transfer ",
                        edit(OperationKind.WRITE, c -> c.lengths()[c.lengths().length - 1]++)),
                Mutant.posts(
                        "RD-10",
                        "reads go one byte too far",
                        "after transfer ",
                        edit(OperationKind.READ, c -> c.lengths()[c.lengths().length - 1]++)),
                Mutant.posts(
                        "CAP-1",
                        "reads are declared and not done",
                        "FAILED with UNSUPPORTED",
                        (context, link, operation) -> operation.kind() == OperationKind.READ
                                ? ErrorCode.UNSUPPORTED.number()
                                : link.post(operation)),
                Mutant.backend(
                        "DL-2",
                        "a fence does not stop what is late",
                        "which was stored into the source after",
                        sound -> Spoil.posts(sound, Mutants::postLate, Mutants::lie)));
    }

    private static Spoil.Post edit(OperationKind kind, Consumer<CopiedOperation> edit) {
        return (context, link, operation) -> {
            CopiedOperation copy = new CopiedOperation(operation);
            if (operation.kind() == kind && operation.segmentCount() > 0) {
                edit.accept(copy);
            }
            return link.post(copy);
        };
    }

    private static void swapTwoOfMany(CopiedOperation c) {
        if (c.lengths().length > 32) {
            long kept = c.localOffsets()[1];
            c.localOffsets()[1] = c.localOffsets()[0];
            c.localOffsets()[0] = kept;
            long shorter = Math.min(c.lengths()[0], c.lengths()[1]);
            c.lengths()[0] = shorter;
            c.lengths()[1] = shorter;
        }
    }

    private static final Queue<Runnable> LATE = new ConcurrentLinkedQueue<>();

    /** Says that all is quiet, and lets what was posted go on. */
    private static void lie() {
        for (Runnable late = LATE.poll(); late != null; late = LATE.poll()) {
            late.run();
        }
    }

    /** Copies by address, past every fence, after its own. */
    @SuppressWarnings("restricted") // the defect is that it reaches memory by itself
    private static int postLate(BackendContext context, Link link, Operation operation) {
        if (operation.totalBytes() < 100 || operation.kind() == OperationKind.READ) {
            return link.post(operation);
        }
        CopiedOperation copy = new CopiedOperation(operation);
        MemorySegment source = copy.local(0).spec().segment().orElseThrow();
        MemorySegment target = MemorySegment.ofAddress(
                        copy.remote(0).descriptor().address())
                .reinterpret(copy.remote(0).descriptor().length());
        LATE.add(() -> {
            context.completions().complete(copy.token(), ErrorCode.CANCELLED.number(), 0);
            CompletableFuture.delayedExecutor(30, TimeUnit.MILLISECONDS)
                    .execute(() -> MemorySegment.copy(source, 0, target, 0, copy.lengths()[0]));
        });
        return Link.ACCEPTED;
    }

    private static List<Mutant> spoiledArguments() {
        return List.of(
                Mutant.engine(
                        "ERR-1", "bad arguments throw", "must return a FAILED transfer", (sound, method, args) -> {
                            Object result = Spoil.go(sound, method, args);
                            if (result instanceof Transfer t
                                    && t.code()
                                            .filter(c -> c == ErrorCode.INVALID_ARGUMENT)
                                            .isPresent()) {
                                throw new IllegalArgumentException(t.text());
                            }
                            return result;
                        }),
                Mutant.engine(
                        "WR-4",
                        "overlaps are taken",
                        "a transfer with destinations that overlap",
                        takesOverlaps("batchWrite")),
                Mutant.engine(
                        "RD-4",
                        "overlaps are taken",
                        "a transfer with destinations that overlap",
                        takesOverlaps("batchRead")),
                Mutant.engine(
                        "WR-5",
                        "the good segments of a bad write move",
                        "the target after ",
                        startsEarly("batchWrite")),
                Mutant.engine(
                        "RD-5",
                        "the good segments of a bad read move",
                        "the initiator after ",
                        startsEarly("batchRead")),
                Mutant.engine(
                        "WR-6",
                        "empty writes do not notify",
                        "the target is notified of an empty transfer",
                        dropsNotification("writeMulti")),
                Mutant.engine(
                        "RD-6",
                        "empty reads do not notify",
                        "the target is notified of an empty transfer",
                        dropsNotification("readMulti")));
    }

    /** Carries out the first segment of what is refused, and says that all is well. */
    private static Spoil.Around<TransferEngine> takesOverlaps(String call) {
        return (sound, method, args) -> {
            Object result = Spoil.go(sound, method, args);
            return method.getName().equals(call) && isInvalid(result) ? List.of(first(sound, call, args)) : result;
        };
    }

    private static Spoil.Around<TransferEngine> startsEarly(String call) {
        return (sound, method, args) -> {
            Object result = Spoil.go(sound, method, args);
            if (method.getName().equals(call) && isInvalid(result)) {
                first(sound, call, args).await(Duration.ofSeconds(5));
            }
            return result;
        };
    }

    private static boolean isInvalid(Object result) {
        return ((Transfer) ((List<?>) result).getFirst())
                .code()
                .filter(c -> c == ErrorCode.INVALID_ARGUMENT)
                .isPresent();
    }

    private static Transfer first(TransferEngine sound, String call, Object[] args) {
        PairTransfer pair = (PairTransfer) ((List<?>) args[0]).getFirst();
        SegmentTable t = pair.segments();
        return call.equals("batchWrite")
                ? sound.write(
                        pair.pair().local(),
                        t.localOffsets()[0],
                        pair.pair().remote(),
                        t.remoteOffsets()[0],
                        16,
                        TransferOptions.DEFAULT)
                : sound.read(
                        pair.pair().local(),
                        t.localOffsets()[0],
                        pair.pair().remote(),
                        t.remoteOffsets()[0],
                        16,
                        TransferOptions.DEFAULT);
    }

    private static Spoil.Around<TransferEngine> dropsNotification(String call) {
        return (sound, method, args) -> {
            if (method.getName().equals(call)) {
                args[1] = TransferOptions.DEFAULT;
            }
            return Spoil.go(sound, method, args);
        };
    }

    private static List<Mutant> spoiledTransfers() {
        return List.of(
                Mutant.engine(
                        "ERR-3",
                        "a defect of the backend is called FABRIC",
                        "must be FAILED with INTERNAL",
                        transfers((t, method, args) -> method.getName().equals("code")
                                        && t.code()
                                                .filter(c -> c == ErrorCode.INTERNAL)
                                                .isPresent()
                                ? Optional.of(ErrorCode.FABRIC)
                                : Spoil.go(t, method, args))),
                Mutant.engine(
                        "ST-1", "cancel changes what has ended", "a transfer that was ", (sound, method, args) -> {
                            Object result = Spoil.go(sound, method, args);
                            return result instanceof Transfer t ? new Turncoat(t).spoiled() : result;
                        }),
                Mutant.engine("ST-2", "callbacks run twice", "runs of two callbacks", transfers((t, method, args) -> {
                    if (method.getName().equals("onCompletion")) {
                        Spoil.go(t, method, args);
                    }
                    return Spoil.go(t, method, args);
                })),
                Mutant.engine(
                        "WT-1",
                        "await takes its time",
                        "took ",
                        transfers((t, method, args) -> method.getName().equals("await")
                                ? t.await(((Duration) args[0]).plus(Duration.ofSeconds(6)))
                                : Spoil.go(t, method, args))),
                Mutant.engine(
                        "WT-2",
                        "awaitAll forgets the order",
                        "awaitAll named another failure",
                        (sound, method, args) -> method.getName().equals("awaitAll")
                                ? reversed(sound, args)
                                : Spoil.go(sound, method, args)),
                Mutant.engine("DL-1", "deadlines are forgotten", "its deadline was", (sound, method, args) -> {
                    for (int i = 0; i < args.length; i++) {
                        args[i] =
                                args[i] instanceof TransferOptions o ? o.withDeadline(Duration.ofMinutes(10)) : args[i];
                    }
                    return Spoil.go(sound, method, args);
                }),
                Mutant.engine(
                        "DL-3",
                        "cancel does nothing",
                        "must be terminal",
                        transfers((t, method, args) ->
                                method.getName().equals("cancel") ? null : Spoil.go(t, method, args))));
    }

    static Spoil.Around<TransferEngine> transfers(Spoil.Around<Transfer> around) {
        return (sound, method, args) -> {
            Object result = Spoil.go(sound, method, args);
            return result instanceof Transfer t ? Spoil.around(Transfer.class, t, around) : result;
        };
    }

    private static AwaitResult reversed(TransferEngine sound, Object[] args) throws InterruptedException {
        List<Transfer> transfers = new ArrayList<>();
        ((List<?>) args[0]).forEach(t -> transfers.addFirst((Transfer) t));
        return sound.awaitAll(transfers, (Duration) args[1]);
    }

    /** A transfer that becomes CANCELLED when it is cancelled after its end. */
    private static final class Turncoat {
        private final Transfer sound;
        private volatile boolean turned;

        Turncoat(Transfer sound) {
            this.sound = sound;
        }

        Transfer spoiled() {
            return Spoil.around(Transfer.class, sound, (t, method, args) -> {
                if (method.getName().equals("cancel") && t.state().isTerminal()) {
                    turned = true;
                }
                return turned && method.getName().equals("state") ? TransferState.CANCELLED : Spoil.go(t, method, args);
            });
        }
    }

    private static List<Mutant> spoiledMemory() {
        return List.of(
                Mutant.engine(
                        "REG-1",
                        "descriptors are a byte short",
                        "the descriptor's length",
                        regions((region, method, args) -> {
                            Object result = Spoil.go(region, method, args);
                            return method.getName().equals("descriptor")
                                    ? region.descriptor().toBuilder()
                                            .range(region.address(), region.length() - 1)
                                            .build()
                                    : result;
                        })),
                Mutant.engine("REG-2", "any region is taken", "was not refused", (sound, method, args) -> {
                    try {
                        return Spoil.go(sound, method, args);
                    } catch (WeftException refused) {
                        if (method.getReturnType() == Region.class) {
                            return sound.allocate(MemoryLocation.HOST, 64, RegisterOptions.DEFAULT);
                        }
                        throw refused;
                    }
                }),
                Mutant.engine(
                        "REG-4",
                        "deregister does nothing",
                        "a write to a deregistered region",
                        regions((region, method, args) ->
                                method.getName().equals("deregister") ? null : Spoil.go(region, method, args))));
    }

    /** Transfers that call one error another. */
    static Spoil.Around<TransferEngine> codes(ErrorCode right, ErrorCode wrong) {
        return transfers((t, method, args) -> method.getName().equals("code")
                        && t.code().filter(c -> c == right).isPresent()
                ? Optional.of(wrong)
                : Spoil.go(t, method, args));
    }

    /** Engines that do not heed an option. */
    static UnaryOperator<EngineSpec> without(String key) {
        return spec -> {
            LinkedHashMap<String, String> fewer = new LinkedHashMap<>(spec.options());
            fewer.remove(key);
            return new EngineSpec(spec.name(), fewer, spec.checked());
        };
    }

    static Spoil.Around<TransferEngine> regions(Spoil.Around<Region> around) {
        return (sound, method, args) -> {
            Object result = Spoil.go(sound, method, args);
            return result instanceof Region region ? Spoil.around(Region.class, region, around) : result;
        };
    }

    private static List<Mutant> spoiledRest() {
        return List.of(
                Mutant.codec("DSC-1", "ports are packed one too high", "the packed bytes of", sound -> new Codec() {
                    @Override
                    public byte[] pack(EngineDescriptor d) {
                        return sound.pack(new EngineDescriptor(
                                d.key(), d.nodeId(), d.hostname(), d.host(), (d.port() + 1) % 65_536, d.pid()));
                    }
                }),
                Mutant.codec("DSC-2", "descriptors must have six fields", "must be read", sound -> new Codec() {
                    @Override
                    public EngineDescriptor unpackEngine(byte[] packed) {
                        if (packed.length > 0 && packed[0] != (byte) 0x96) {
                            throw new WeftException(ErrorCode.DECODE_ERROR, "not six fields");
                        }
                        return sound.unpackEngine(packed);
                    }
                }),
                Mutant.spec(
                        "BP-1",
                        "queues have no bound",
                        "to a queue of 16",
                        spec -> spec.options().containsKey("weft.queue.transfers")
                                ? new EngineSpec(spec.name(), new LinkedHashMap<>(), spec.checked())
                                : spec),
                Mutant.engine("CON-3", "posts on a closed engine throw", "a post threw", (sound, method, args) -> {
                    Object result = Spoil.go(sound, method, args);
                    if (isTransferCall(method)
                            && result instanceof Transfer t
                            && t.code().filter(c -> c == ErrorCode.CLOSED).isPresent()) {
                        throw new IllegalStateException("closed");
                    }
                    return result;
                }));
    }

    private static boolean isTransferCall(Method method) {
        return Arrays.asList("write", "read").contains(method.getName());
    }

    private static List<Mutant> spoiledCombinations() {
        return List.of(
                Mutant.posts(
                        "WR-3",
                        "merged writes miss a byte",
                        "the target's region of pair 0",
                        edit(OperationKind.WRITE, c -> c.lengths()[0] -= c.lengths()[0] > 100 ? 1 : 0)),
                Mutant.posts(
                        "RD-3",
                        "merged reads miss a byte",
                        "the initiator's region of pair 0",
                        edit(OperationKind.READ, c -> c.lengths()[0] -= c.lengths()[0] > 100 ? 1 : 0)),
                Mutant.engine(
                        "WR-8", "a bad pair takes the batch with it", "must be SUCCEEDED", failsTogether("batchWrite")),
                Mutant.engine(
                        "RD-8", "a bad pair takes the batch with it", "must be SUCCEEDED", failsTogether("batchRead")),
                Mutant.engine(
                        "WR-11",
                        "only the first pair is written",
                        "the target's region of pair 1",
                        firstPairOnly("writeMulti")),
                Mutant.engine(
                        "RD-11",
                        "only the first pair is read",
                        "the initiator's region of pair 1",
                        firstPairOnly("readMulti")),
                Mutant.engine(
                        "ST-3",
                        "failures have no text",
                        "has no text",
                        transfers(
                                (t, method, args) -> method.getName().equals("text") ? "" : Spoil.go(t, method, args))),
                Mutant.engine("WT-3", "only one thread may await", "of 16 threads", transfers(new OneWaiter())),
                Mutant.engine(
                        "WT-4",
                        "an interrupt is swallowed",
                        "must throw InterruptedException",
                        transfers((t, method, args) -> {
                            try {
                                return Spoil.go(t, method, args);
                            } catch (InterruptedException swallowed) {
                                return t.state();
                            }
                        })));
    }

    private static Spoil.Around<TransferEngine> failsTogether(String call) {
        return (sound, method, args) -> {
            Object result = Spoil.go(sound, method, args);
            if (!method.getName().equals(call)) {
                return result;
            }
            Object bad = ((List<?>) result)
                    .stream()
                            .filter(t -> ((Transfer) t).code().isPresent())
                            .findFirst()
                            .orElseThrow();
            return ((List<?>) result).stream().map(t -> bad).toList();
        };
    }

    private static Spoil.Around<TransferEngine> firstPairOnly(String call) {
        return (sound, method, args) -> {
            if (method.getName().equals(call)) {
                SharedSegments part = (SharedSegments) ((List<?>) args[0]).getFirst();
                args[0] = List.of(new SharedSegments(List.of(part.pairs().getFirst()), part.segments()));
            }
            return Spoil.go(sound, method, args);
        };
    }

    /** Lets the first thread wait, and tells the others at once that nothing has ended. */
    private static final class OneWaiter implements Spoil.Around<Transfer> {
        private final AtomicBoolean waiting = new AtomicBoolean();

        @Override
        public Object call(Transfer t, Method method, Object[] args) throws Throwable {
            return method.getName().equals("await") && !waiting.compareAndSet(false, true)
                    ? TransferState.IN_PROGRESS
                    : Spoil.go(t, method, args);
        }
    }
}
