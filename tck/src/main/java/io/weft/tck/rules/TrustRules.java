package io.weft.tck.rules;

import io.weft.api.Access;
import io.weft.api.EngineDescriptor;
import io.weft.api.ErrorCode;
import io.weft.api.MemoryDescriptor;
import io.weft.api.Transfer;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import io.weft.spi.Backend;
import io.weft.spi.BackendContext;
import io.weft.spi.BackendProvider;
import io.weft.spi.Link;
import io.weft.spi.LinkEvents;
import io.weft.spi.LocalMemory;
import io.weft.spi.Operation;
import io.weft.spi.Peer;
import io.weft.tck.harness.Block;
import io.weft.tck.harness.Codec;
import io.weft.tck.harness.EngineTarget;
import io.weft.tck.harness.Expect;
import io.weft.tck.harness.Rig;
import io.weft.tck.harness.RuleSuite;
import io.weft.tck.harness.RuleTest;
import io.weft.tck.harness.Topology;
import io.weft.testkit.CopiedOperation;
import io.weft.testkit.ForwardingBackend;
import io.weft.testkit.ForwardingLink;
import io.weft.testkit.ForwardingProvider;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** SEC: who may do what, and what nobody gets to know. */
@RuleSuite
class TrustRules {
    private static final int SIZE = 1000;
    private static final int GUARD = 500;
    private static final String SECRET = "kit-secret-3f9a1c7e5b2d8a60-of-the-test";

    @RuleTest("SEC-1a")
    void sec1a_noAccessLeavesARegion(Rig rig) throws InterruptedException {
        Block local = rig.local(4L * SIZE);
        local.fill(1);
        Guarded target = Guarded.of(rig);
        long[][] ranges = {
            {SIZE, 1},
            {SIZE - 1, 2},
            {0, SIZE + 1},
            {-1, 1},
            {-GUARD, GUARD},
            {Long.MAX_VALUE, 1},
            {Long.MIN_VALUE, 1},
            {Long.MAX_VALUE - 4, 8},
            {Integer.MAX_VALUE, 8},
            {1L << 32, 8}
        };
        for (long[] range : ranges) {
            String what = "offset " + range[0] + ", length " + range[1];
            rig.fails(
                    "a write outside the region, " + what,
                    rig.write(local, 0, target.region, range[0], range[1]),
                    ErrorCode.INVALID_ARGUMENT);
            rig.fails(
                    "a read outside the region, " + what,
                    rig.read(local, 0, target.region, range[0], range[1]),
                    ErrorCode.INVALID_ARGUMENT);
        }
        MemoryDescriptor real = target.region.descriptor();
        for (MemoryDescriptor altered : List.of(
                real.toBuilder().range(real.address(), SIZE + GUARD).build(),
                real.toBuilder().range(real.address() - GUARD, SIZE + GUARD).build(),
                real.toBuilder().range(real.address() + GUARD, SIZE).build())) {
            Transfer transfer = rig.track(rig.engine()
                    .write(local.region(), 0, altered, altered.length() - GUARD, GUARD, TransferOptions.DEFAULT));
            TransferState end = rig.end(transfer);
            target.isUntouched("a write by an altered descriptor, which is " + end);
            Expect.equal("a write by the altered descriptor " + altered, TransferState.FAILED, end);
        }
        rig.succeeds(rig.write(local, 0, target.region, 0, SIZE));
    }

    @RuleTest("SEC-1b")
    void sec1b_norDoesThatOfAHostilePeer(Rig rig) throws InterruptedException {
        AtomicLong shift = new AtomicLong();
        rig.decorate(sound -> new Hostile(sound, shift));
        Block local = rig.local(SIZE);
        local.fill(1);
        Guarded target = Guarded.of(rig);
        rig.succeeds(rig.write(local, 0, target.region, 0, 100));
        for (long by : new long[] {SIZE - 50, SIZE, SIZE + 100, -1, -100, 1L << 40, Long.MAX_VALUE - SIZE}) {
            shift.set(by);
            Transfer transfer = rig.track(rig.engine()
                    .write(
                            local.region(),
                            0,
                            target.region.descriptor(),
                            0,
                            100,
                            TransferOptions.DEFAULT.withDeadline(rig.clocks().scaled(Duration.ofSeconds(2)))));
            TransferState end = rig.end(transfer);
            target.isUntouched("a hostile write " + by + " bytes off, which is " + end);
            Expect.that(
                    end == TransferState.FAILED, "a hostile write " + by + " bytes off is " + end + ", must be FAILED");
            shift.set(0);
            rig.eventually("an honest write succeeds again", () -> {
                try {
                    return rig.end(rig.write(local, 0, target.region, 0, 100)) == TransferState.SUCCEEDED;
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                    return false;
                }
            });
        }
    }

    /** Sends other remote offsets than core asked for. */
    private static final class Hostile extends ForwardingProvider {
        private final AtomicLong shift;

        Hostile(BackendProvider sound, AtomicLong shift) {
            super(sound);
            this.shift = shift;
        }

        @Override
        public Backend open(BackendContext context) {
            return new ForwardingBackend(super.open(context)) {
                @Override
                public Link connect(Peer peer, LinkEvents events, long deadlineNanos) {
                    return new ForwardingLink(super.connect(peer, events, deadlineNanos)) {
                        @Override
                        public int post(Operation operation) {
                            CopiedOperation copy = new CopiedOperation(operation);
                            for (int i = 0; i < copy.remoteOffsets().length; i++) {
                                copy.remoteOffsets()[i] += shift.get();
                            }
                            return super.post(copy);
                        }
                    };
                }
            };
        }
    }

    /** A region in the middle of memory that nobody may touch. */
    private record Guarded(Block whole, Block region) {
        static Guarded of(Rig rig) {
            org.junit.jupiter.api.Assumptions.assumeTrue(
                    rig.permutation().kinds().remote().isHost(), "a part is registered of host memory");
            // Registered for nobody but its owner, so that it can be looked at.
            Block whole = rig.remote(SIZE + 2L * GUARD, java.util.Set.of(Access.LOCAL_READ));
            whole.fill(77);
            int part = whole.owner().registerPart(whole.handle(), GUARD, SIZE, Access.ALL);
            return new Guarded(whole, rig.describe(whole.owner(), part, SIZE));
        }

        void isUntouched(String after) {
            byte[] wanted = io.weft.tck.harness.Pattern.bytes(77, SIZE + 2 * GUARD);
            byte[] seen = whole.bytes();
            System.arraycopy(seen, GUARD, wanted, GUARD, SIZE);
            Expect.sameBytes("the memory around the region after " + after, wanted, seen);
        }
    }

    @RuleTest(
            value = "SEC-2",
            topologies = {Topology.PAIR, Topology.PROCESS})
    void sec2_brokenInputEndsItsConnectionAndHarmsNoOther(Rig rig) throws InterruptedException, IOException {
        rig.with("weft.control-timeout", Duration.ofMillis(500));
        Block from = rig.local(SIZE);
        Block to = rig.remote(SIZE);
        rig.succeeds(rig.write(from, 0, to, 0, SIZE));
        EngineDescriptor address = Codec.CORE.unpackEngine(rig.target().descriptor());
        byte[] random = new byte[200];
        rig.random().nextBytes(random);
        Map<String, byte[]> inputs = new LinkedHashMap<>();
        inputs.put("random bytes", random);
        inputs.put("a request of HTTP", "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        inputs.put("a part of the magic and silence", java.util.Arrays.copyOf(RawPeer.MAGIC, 5));
        inputs.put("the magic and silence", RawPeer.MAGIC);
        inputs.put("a frame of 2 GiB", after(RawPeer.MAGIC, "7fffffff01"));
        inputs.put("a frame of negative length", after(RawPeer.MAGIC, "ffffffff01"));
        inputs.put("a frame out of place", after(RawPeer.MAGIC, "0000000010"));
        inputs.put("a frame of unknown type", after(RawPeer.MAGIC, "00000001ee00"));
        inputs.put("an OPEN that is too short", after(RawPeer.MAGIC, "00000003010001"));
        for (Map.Entry<String, byte[]> input : inputs.entrySet()) {
            try (RawPeer peer = new RawPeer(address, rig.clocks().mustHappen())) {
                peer.send(input.getValue());
                rig.succeeds(rig.write(from, 0, to, 0, SIZE));
                int got = peer.bytesUntilClosed();
                Expect.that(
                        got >= 0,
                        "a connection that sent " + input.getKey() + " is open after "
                                + rig.clocks().mustHappen() + ", must be closed");
            }
        }
        byte[] source = from.fill(3);
        Transfer transfer = rig.succeeds(rig.write(from, 0, to, 0, SIZE));
        Expect.equal(
                "replays of an honest transfer",
                0,
                transfer.receipt().orElseThrow().replays());
        Expect.sameBytes("the target of an honest peer", source, to.bytes());
    }

    private static byte[] after(byte[] start, String hex) {
        byte[] rest = HexFormat.of().parseHex(hex);
        byte[] all = java.util.Arrays.copyOf(start, start.length + rest.length);
        System.arraycopy(rest, 0, all, start.length, rest.length);
        return all;
    }

    @RuleTest(
            value = "SEC-3",
            topologies = {Topology.PAIR, Topology.PROCESS})
    void sec3_whoDoesNotKnowTheSecretLearnsAndDoesNothing(Rig rig) throws InterruptedException, IOException {
        rig.with("weft.secret", SECRET)
                .with("weft.control-timeout", Duration.ofMillis(500))
                .with("weft.connect-timeout", Duration.ofMillis(1500));
        Block from = rig.local(SIZE);
        from.fill(1);
        Block to = rig.remote(SIZE);
        rig.succeeds(rig.write(from, 0, to, 0, SIZE));
        byte[] kept = to.fill(5);
        for (String wrong : List.of("", "another-secret-of-more-than-32-characters")) {
            EngineTarget stranger = rig.openHere(rig.spec("stranger").with("weft.secret", wrong));
            Rig.introduce(stranger, rig.target());
            Block theirs = rig.block(stranger, rig.permutation().kinds().local(), SIZE, Access.ALL);
            for (boolean write : new boolean[] {true, false}) {
                Transfer transfer = rig.track(
                        write
                                ? stranger.engine()
                                        .write(theirs.region(), 0, to.descriptor(), 0, SIZE, TransferOptions.DEFAULT)
                                : stranger.engine()
                                        .read(theirs.region(), 0, to.descriptor(), 0, SIZE, TransferOptions.DEFAULT));
                rig.fails(
                        (write ? "a write" : "a read") + " of an engine with "
                                + (wrong.isEmpty() ? "no secret" : "another secret"),
                        transfer,
                        ErrorCode.AUTHENTICATION,
                        ErrorCode.UNREACHABLE);
            }
            Expect.sameBytes("the target", kept, to.bytes());
            Expect.sameBytes("the stranger's memory", new byte[SIZE], theirs.bytes());
        }
        EngineDescriptor address = Codec.CORE.unpackEngine(rig.target().descriptor());
        int[] version = RawPeer.version(address);
        try (RawPeer peer = new RawPeer(address, rig.clocks().mustHappen())) {
            peer.open(version[0], version[1]);
            Expect.equal("bytes that an OPEN without a proof earned", 0, peer.bytesUntilClosed());
        }
        rig.succeeds(rig.write(from, 0, to, 0, SIZE));
    }

    @RuleTest(
            value = "SEC-4",
            topologies = {Topology.PAIR, Topology.PROCESS})
    void sec4_secretsAndKeysAreNeverTold(Rig rig) throws InterruptedException {
        Queue<String> told = new ConcurrentLinkedQueue<>();
        Queue<byte[]> keys = new ConcurrentLinkedQueue<>();
        Handler listener = new Listener(told);
        Logger root = Logger.getLogger("io.weft");
        Level before = root.getLevel();
        root.addHandler(listener);
        root.setLevel(Level.ALL);
        try {
            rig.with("weft.secret", SECRET).decorate(sound -> new KeyKeeper(sound, keys));
            Block from = rig.local(SIZE);
            Block to = rig.remote(SIZE);
            List<Transfer> transfers = new ArrayList<>();
            transfers.add(rig.write(from, 0, to, 0, SIZE));
            rig.end(transfers.getFirst());
            Rig.introduce(rig.target(), rig.here());
            rig.target().move(true, to.handle(), 0, rig.here().memory(from.handle()), 0, 10, 5000);
            transfers.add(rig.write(from, 0, to, SIZE, 10));
            to.owner().deregister(to.handle(), 100);
            transfers.add(rig.write(from, 0, to, 0, 10));
            for (Transfer transfer : transfers) {
                rig.end(transfer);
                told.add(transfer + " " + transfer.text() + " " + transfer.receipt());
            }
            told.add(rig.engine()
                    .explain(
                            rig.targetKey(),
                            rig.permutation().kinds().local(),
                            rig.permutation().kinds().remote())
                    .toString());
            told.add(rig.engine().descriptor() + " " + from.descriptor() + " " + from.region());
            var refused = Expect.refused(
                    "open with a wrong option beside a secret",
                    () -> rig.openHere(rig.spec("refused").with("weft.no-such-option", "1")),
                    ErrorCode.INVALID_ARGUMENT);
            told.add(String.valueOf(refused.getMessage()));
            if (rig.permutation().topology() == Topology.PROCESS) {
                told.add(rig.process().logTail());
            }
        } finally {
            root.removeHandler(listener);
            root.setLevel(before);
        }
        Expect.that(!keys.isEmpty(), "no region key was made, so the test shows nothing");
        for (String text : told) {
            Expect.that(!text.contains(SECRET), "the secret is told: " + text);
            for (byte[] key : keys) {
                for (String form : forms(key)) {
                    Expect.that(!text.contains(form), "a region's key is told: " + text);
                }
            }
        }
    }

    /** Ways in which bytes are written; too short ones would be found by chance. */
    private static List<String> forms(byte[] key) {
        List<String> forms = new ArrayList<>();
        if (key.length >= 8) {
            forms.add(HexFormat.of().formatHex(key));
            forms.add(Base64.getEncoder().withoutPadding().encodeToString(key));
            forms.add(new String(key, StandardCharsets.ISO_8859_1));
            forms.add(java.util.Arrays.toString(key));
        }
        return forms;
    }

    private static final class KeyKeeper extends ForwardingProvider {
        private final Queue<byte[]> keys;

        KeyKeeper(BackendProvider sound, Queue<byte[]> keys) {
            super(sound);
            this.keys = keys;
        }

        @Override
        public Backend open(BackendContext context) {
            return new ForwardingBackend(super.open(context)) {
                @Override
                public byte[] exportKey(Peer peer, LocalMemory memory) {
                    byte[] key = super.exportKey(peer, memory);
                    keys.add(key.clone());
                    return key;
                }
            };
        }
    }

    private static final class Listener extends Handler {
        private final Queue<String> told;
        private final SimpleFormatter formatter = new SimpleFormatter();

        Listener(Queue<String> told) {
            this.told = told;
            setLevel(Level.ALL);
        }

        @Override
        public void publish(LogRecord entry) {
            told.add(formatter.format(entry));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
