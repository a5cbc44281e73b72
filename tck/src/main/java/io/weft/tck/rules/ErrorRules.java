package io.weft.tck.rules;

import io.weft.api.EngineDescriptor;
import io.weft.api.ErrorCode;
import io.weft.api.MemoryLocation;
import io.weft.api.PairTransfer;
import io.weft.api.RegionPair;
import io.weft.api.RegisterOptions;
import io.weft.api.SegmentTable;
import io.weft.api.SharedSegments;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.spi.Backend;
import io.weft.spi.BackendContext;
import io.weft.spi.BackendProvider;
import io.weft.spi.Link;
import io.weft.spi.LinkEvents;
import io.weft.spi.LocalMemory;
import io.weft.spi.MemorySpec;
import io.weft.spi.Operation;
import io.weft.spi.Peer;
import io.weft.tck.harness.Block;
import io.weft.tck.harness.Expect;
import io.weft.tck.harness.Rig;
import io.weft.tck.harness.RuleSuite;
import io.weft.tck.harness.RuleTest;
import io.weft.testkit.ForwardingBackend;
import io.weft.testkit.ForwardingLink;
import io.weft.testkit.ForwardingProvider;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** ERR: errors. */
@RuleSuite
class ErrorRules {
    private static final long SIZE = 256;

    @RuleTest("ERR-1")
    void err1_transferCallsReturnATransferForEveryOutcome(Rig rig) throws InterruptedException {
        TransferEngine engine = rig.engine();
        Block from = rig.local(SIZE);
        Block to = rig.remote(SIZE);
        SegmentTable outside = SegmentTable.single(0, SIZE, 8);
        RegionPair pair = new RegionPair(from.region(), to.descriptor());
        List<PairTransfer> batch = List.of(new PairTransfer(pair, outside));
        List<SharedSegments> shared = List.of(new SharedSegments(List.of(pair), outside));
        TransferOptions options = TransferOptions.DEFAULT;
        invalid(
                rig,
                "write outside the region",
                () -> engine.write(from.region(), 0, to.descriptor(), SIZE, 8, options));
        invalid(rig, "read outside the region", () -> engine.read(from.region(), 0, to.descriptor(), SIZE, 8, options));
        invalid(
                rig,
                "batchWrite outside the region",
                () -> engine.batchWrite(batch, options).getFirst());
        invalid(
                rig,
                "batchRead outside the region",
                () -> engine.batchRead(batch, options).getFirst());
        invalid(rig, "writeMulti outside the region", () -> engine.writeMulti(shared, options));
        invalid(rig, "readMulti outside the region", () -> engine.readMulti(shared, options));
        var stranger = to.descriptor().toBuilder().engineKey("nobody-00000000").build();
        rig.fails(
                "a write to an engine that was never added",
                returned("write", () -> engine.write(from.region(), 0, stranger, 0, 8, options)),
                ErrorCode.NOT_REGISTERED);
        try {
            engine.write(from.region(), 0, nullReference(), 0, 8, options);
            throw new AssertionError("a write with a null descriptor returned, must throw NullPointerException");
        } catch (NullPointerException onlyThisThrows) {
            // as the rule says
        }
    }

    @RuleTest("ERR-1")
    void err1_aClosedEngineReturnsFailedTransfers(Rig rig) throws InterruptedException {
        TransferEngine engine = rig.engine();
        Block from = rig.local(SIZE);
        Block to = rig.remote(SIZE);
        rig.succeeds(rig.write(from, 0, to, 0, 8));
        engine.close();
        rig.fails(
                "a write on a closed engine",
                returned("write", () -> engine.write(from.region(), 0, to.descriptor(), 0, 8, TransferOptions.DEFAULT)),
                ErrorCode.CLOSED);
    }

    @RuleTest("ERR-1")
    void err1_preparingCallsThrow(Rig rig) throws InterruptedException {
        TransferEngine engine = rig.engine();
        Block from = rig.local(SIZE);
        Block to = rig.remote(SIZE);
        Expect.refused(
                "register of no bytes",
                () -> engine.register(from.region().address(), 0, MemoryLocation.HOST, RegisterOptions.DEFAULT),
                ErrorCode.INVALID_ARGUMENT);
        var peer = engine.descriptor();
        Expect.refused(
                "addPeer without a key",
                () -> engine.addPeer(
                        new EngineDescriptor("", peer.nodeId(), peer.hostname(), peer.host(), peer.port(), peer.pid())),
                ErrorCode.INVALID_ARGUMENT);
        Expect.refused(
                "session with an engine that was never added",
                () -> engine.session(
                                from.region(),
                                to.descriptor().toBuilder()
                                        .engineKey("nobody-00000000")
                                        .build())
                        .close(),
                ErrorCode.NOT_REGISTERED);
        Expect.refused(
                "open with an unknown option",
                () -> rig.sides().openHere(rig.setup().spec("refused").with("weft.no-such-option", "1")),
                ErrorCode.INVALID_ARGUMENT);
    }

    private static void invalid(Rig rig, String what, Supplier<Transfer> call) throws InterruptedException {
        rig.fails(what, returned(what, call), ErrorCode.INVALID_ARGUMENT);
    }

    private static Transfer returned(String what, Supplier<Transfer> call) {
        try {
            return call.get();
        } catch (RuntimeException thrown) {
            throw new AssertionError(what + " threw " + thrown + ", must return a FAILED transfer", thrown);
        }
    }

    /** Gives null where the compiler would not let it pass. */
    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // null is what is tested
    private static <T> T nullReference() {
        @Nullable T nothing = null;
        return nothing;
    }

    @RuleTest("ERR-3")
    void err3_whatABackendThrowsBecomesInternal(Rig rig) throws InterruptedException {
        rig.setup().decorate(Throwing::new);
        Block from = rig.local(SIZE);
        Block to = rig.remote(SIZE);
        Transfer transfer = rig.fails(
                "a write whose post throws", returned("write", () -> rig.write(from, 0, to, 0, 8)), ErrorCode.INTERNAL);
        String name = rig.run().config().backend();
        Expect.that(
                transfer.text().contains(name), "the text is '" + transfer.text() + "', must name the backend " + name);
    }

    @RuleTest("ERR-3")
    void err3_aVirtualMachineErrorPasses(Rig rig) {
        AtomicReference<@Nullable Error> thrown = new AtomicReference<>();
        rig.setup().decorate(sound -> new Throwing(sound, thrown));
        rig.engine();
        OutOfMemoryError error = new OutOfMemoryError("thrown by the test");
        thrown.set(error);
        try {
            rig.local(SIZE);
        } catch (OutOfMemoryError passed) {
            Expect.that(passed == error, "another VirtualMachineError came out: " + passed);
            thrown.set(null);
            return;
        } catch (RuntimeException | Error swallowed) {
            throw new AssertionError("an OutOfMemoryError of a backend became " + swallowed + ", must pass", swallowed);
        }
        throw new AssertionError("an OutOfMemoryError of a backend vanished, must pass");
    }

    /** Throws what no backend may throw, from post, or an error of the test's from register. */
    private static final class Throwing extends ForwardingProvider {
        private final @Nullable AtomicReference<@Nullable Error> fromRegister;

        Throwing(BackendProvider sound) {
            super(sound);
            fromRegister = null;
        }

        Throwing(BackendProvider sound, AtomicReference<@Nullable Error> fromRegister) {
            super(sound);
            this.fromRegister = fromRegister;
        }

        @Override
        public Backend open(BackendContext context) {
            return new ForwardingBackend(super.open(context)) {
                @Override
                public LocalMemory register(MemorySpec spec) {
                    Error error = fromRegister == null ? null : fromRegister.get();
                    if (error != null) {
                        throw error;
                    }
                    return super.register(spec);
                }

                @Override
                public Link connect(Peer peer, LinkEvents events, long deadlineNanos) {
                    Link sound = super.connect(peer, events, deadlineNanos);
                    return fromRegister != null
                            ? sound
                            : new ForwardingLink(sound) {
                                @Override
                                public int post(Operation operation) {
                                    throw new IllegalStateException("thrown by the test");
                                }
                            };
                }
            };
        }
    }
}
