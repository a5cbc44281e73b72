package io.weft.tck.rules;

import io.weft.api.Access;
import io.weft.api.EngineDescriptor;
import io.weft.api.ErrorCode;
import io.weft.api.MemoryDescriptor;
import io.weft.api.Transfer;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import io.weft.tck.harness.Block;
import io.weft.tck.harness.Codec;
import io.weft.tck.harness.EngineSpec;
import io.weft.tck.harness.EngineTarget;
import io.weft.tck.harness.Expect;
import io.weft.tck.harness.Rig;
import io.weft.tck.harness.RuleSuite;
import io.weft.tck.harness.RuleTest;
import io.weft.tck.harness.Sides;
import io.weft.tck.harness.Target;
import io.weft.tck.harness.Topology;
import io.weft.testkit.faults.Fault;
import io.weft.testkit.faults.FaultPlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** PEER: peers come, go, and come back. */
@RuleSuite
class PeerRules {
    private static final int SIZE = 2000;

    @RuleTest(
            value = "PEER-1",
            topologies = {Topology.PAIR, Topology.PROCESS})
    void peer1_addingConnectsNothingAndTheUnreachableIsSaidInTime(Rig rig) throws InterruptedException, IOException {
        Duration timeout = rig.clocks().scaled(Duration.ofMillis(400));
        rig.setup().with("weft.connect-timeout", timeout.toMillis() + "ms");
        Block from = rig.local(SIZE);
        Block to = rig.remote(SIZE);
        Expect.equal(
                "the state of a peer that was only added", "KNOWN", rig.here().peerState(rig.targetKey()));
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            EngineDescriptor real = rig.engine().descriptor();
            EngineDescriptor nobody = new EngineDescriptor(
                    "silent-00000001", real.nodeId(), real.hostname(), "127.0.0.1", silent.getLocalPort(), real.pid());
            rig.engine().addPeer(withIncarnation(nobody, "00000000000000aa"));
            Expect.that(!isDialled(silent, rig.clocks().mustNotHappen()), "addPeer connected to the peer");
            MemoryDescriptor there =
                    to.descriptor().toBuilder().engineKey(nobody.key()).build();
            long began = System.nanoTime();
            Transfer transfer = rig.track(rig.engine().write(from.region(), 0, there, 0, 8, TransferOptions.DEFAULT));
            Expect.that(isDialled(silent, rig.clocks().mustHappen()), "the first transfer did not connect to the peer");
            rig.fails("a write to a peer that does not answer", transfer, ErrorCode.UNREACHABLE);
            Duration took = Duration.ofNanos(System.nanoTime() - began);
            Duration bound = timeout.multipliedBy(2).plus(rig.clocks().scaled(Duration.ofSeconds(3)));
            Expect.that(
                    took.compareTo(bound) < 0,
                    "it took " + took + " to fail, the connect timeout is " + timeout + ", the bound " + bound);
        }
        rig.succeeds(rig.write(from, 0, to, 0, SIZE));
        Expect.equal("the state of a peer after a transfer", "UP", rig.here().peerState(rig.targetKey()));
    }

    private static EngineDescriptor withIncarnation(EngineDescriptor d, String incarnation) {
        String node = d.nodeId().replaceFirst("inc=[0-9a-f]{16}", "inc=" + incarnation);
        return new EngineDescriptor(d.key(), node, d.hostname(), d.host(), d.port(), d.pid());
    }

    private static boolean isDialled(ServerSocket listener, Duration in) {
        try {
            listener.setSoTimeout((int) in.toMillis());
            listener.accept(); // left open: the peer hears nothing
            return true;
        } catch (SocketTimeoutException nobodyCame) {
            return false;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @RuleTest(
            value = "PEER-2",
            topologies = {Topology.PAIR, Topology.PROCESS})
    void peer2_aLostPeerFailsItsTransfersAndNoOthers(Rig rig) throws InterruptedException {
        rig.setup().withQuickLiveness();
        var faults = rig.setup().faults(FaultPlan.NONE);
        Block from = rig.local(SIZE);
        Block to = rig.remote(SIZE);
        Block there = rig.elsewhere("other", SIZE);
        rig.succeeds(rig.write(from, 0, to, 0, SIZE));
        rig.succeeds(rig.write(from, 0, there, 0, SIZE));
        faults.plan(FaultPlan.NONE.with(Fault.STALL, 1));
        List<Transfer> stuck = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            stuck.add(rig.write(from, 0, to, 0, SIZE));
        }
        rig.clocks().eventually("they were posted", () -> faults.injected(Fault.STALL) >= 4);
        faults.plan(FaultPlan.NONE);
        rig.sides().crash(rig.target());
        for (Transfer transfer : stuck) {
            rig.fails("a transfer to a peer that crashed", transfer, ErrorCode.PEER_LOST);
        }
        byte[] source = from.fill(7);
        rig.succeeds(rig.write(from, 0, there, 0, SIZE));
        Expect.sameBytes("another peer", source, there.bytes());
    }

    @RuleTest(value = "PEER-2", topologies = Topology.PROCESS)
    void peer2_aPeerThatStoodTooLongIsLost(Rig rig) throws InterruptedException {
        rig.setup().withQuickLiveness();
        Block from = rig.local(SIZE);
        Block to = rig.remote(SIZE);
        rig.succeeds(rig.write(from, 0, to, 0, SIZE));
        String key = rig.targetKey();
        rig.process().stop();
        try {
            rig.clocks()
                    .eventually(
                            "a stopped peer is LOST",
                            () -> rig.here().peerState(key).equals("LOST"));
        } finally {
            rig.process().resume();
        }
        rig.eventuallySucceeds(() -> rig.write(from, 0, to, 0, SIZE));
    }

    @RuleTest(
            value = "PEER-3",
            topologies = {Topology.PAIR, Topology.PROCESS})
    void peer3_aPeerThatComesBackIsUsable(Rig rig) throws InterruptedException {
        rig.setup().withQuickLiveness();
        EngineSpec fixed = rig.setup()
                .spec("weft-tck-phoenix-" + Long.toHexString(rig.random().nextLong()))
                .with("weft.exact-key", "true");
        Block from = rig.local(SIZE);
        for (int life = 0; life < 3; life++) {
            Target peer = rig.sides().openThere(fixed);
            Sides.introduce(rig.here(), peer);
            Block to = rig.block(peer, rig.permutation().kinds().remote(), SIZE, Access.ALL);
            byte[] source = from.fill(life);
            rig.succeeds(rig.write(from, 0, to, 0, SIZE));
            Expect.sameBytes("the peer in its life " + life, source, to.bytes());
            rig.sides().crash(peer);
        }
    }

    @RuleTest("PEER-3")
    void peer3_aHealedNetworkIsUsable(Rig rig) throws InterruptedException {
        var faults = rig.setup().faults(FaultPlan.NONE);
        rig.setup().with("weft.route.quarantine", Duration.ofMillis(50));
        Block from = rig.local(SIZE);
        Block to = rig.remote(SIZE);
        rig.succeeds(rig.write(from, 0, to, 0, SIZE));
        faults.plan(FaultPlan.NONE.with(Fault.LINK_DOWN, 1));
        rig.end(rig.write(from, 0, to, 0, SIZE));
        faults.plan(FaultPlan.NONE);
        byte[] source = from.fill(5);
        rig.eventuallySucceeds(() -> rig.write(from, 0, to, 0, SIZE));
        Expect.sameBytes("the target after the network healed", source, to.bytes());
    }

    @RuleTest(
            value = "PEER-4",
            topologies = {Topology.PAIR, Topology.PROCESS})
    void peer4_removingCancelsAndIsIdempotent(Rig rig) throws InterruptedException {
        var faults = rig.setup().faults(FaultPlan.NONE);
        Block from = rig.local(SIZE);
        Block to = rig.remote(SIZE);
        rig.succeeds(rig.write(from, 0, to, 0, SIZE));
        faults.plan(FaultPlan.NONE.with(Fault.STALL, 1));
        Transfer stuck = rig.write(from, 0, to, 0, SIZE);
        rig.clocks().eventually("it was posted", () -> faults.injected(Fault.STALL) > 0);
        faults.plan(FaultPlan.NONE);
        String key = rig.targetKey();
        rig.engine().removePeer(key);
        rig.engine().removePeer(key);
        Expect.equal("a transfer to a peer that was removed", TransferState.CANCELLED, rig.end(stuck));
        Expect.equal("the state of a peer that was removed", "", rig.here().peerState(key));
        rig.fails("a write to a peer that was removed", rig.write(from, 0, to, 0, 8), ErrorCode.NOT_REGISTERED);
        rig.engine().removePeer("nobody-00000000");
        Sides.introduce(rig.here(), rig.target());
        byte[] source = from.fill(3);
        rig.succeeds(rig.write(from, 0, to, 0, SIZE));
        Expect.sameBytes("a peer that was removed and added again", source, to.bytes());
    }

    @RuleTest(
            value = "PEER-5",
            topologies = {Topology.PAIR, Topology.PROCESS})
    void peer5_whoConnectsAtTheSameTimeGetsLinksBothWays(Rig rig) throws InterruptedException {
        Block mine = rig.local(SIZE);
        long deadline = rig.clocks().mustHappen().toMillis();
        for (int round = 0; round < 5; round++) {
            Target other = rig.sides().openThere(rig.setup().spec("dialler-" + round));
            Sides.introduce(rig.here(), other);
            Sides.introduce(other, rig.here());
            Block theirs = rig.block(other, rig.permutation().kinds().remote(), SIZE, Access.ALL);
            byte[] packed = rig.here().memory(mine.handle());
            CountDownLatch start = new CountDownLatch(1);
            CompletableFuture<Target.End> there = new CompletableFuture<>();
            Thread.ofPlatform().daemon().name("weft-tck-dialler").start(() -> {
                try {
                    start.await();
                    there.complete(other.move(true, theirs.handle(), 0, packed, 0, SIZE / 2, deadline));
                } catch (InterruptedException | RuntimeException failed) {
                    there.completeExceptionally(failed);
                }
            });
            start.countDown();
            Transfer here = rig.write(mine, SIZE / 2, theirs, SIZE / 2, SIZE / 2);
            rig.succeeds(here);
            Target.End end = there.join();
            Expect.that(
                    end.state().equals("SUCCEEDED"),
                    "of two engines that connect to each other at once, the other one's write is " + end
                            + ", must be SUCCEEDED");
            rig.succeeds(rig.read(mine, 0, theirs, 0, SIZE));
            other.close(deadline);
        }
    }

    @RuleTest(value = "PEER-6", topologies = Topology.SELF)
    void peer6_toItselfAndToANeighbourInTheProcess(Rig rig) throws InterruptedException {
        Block from = rig.local(SIZE);
        Block own = rig.local(SIZE);
        byte[] source = from.fill(1);
        rig.succeeds(rig.write(from, 0, own, 0, SIZE));
        Expect.sameBytes("what an engine wrote to itself", source, own.bytes());
        byte[] read = own.fill(2);
        rig.succeeds(rig.read(from, 0, own, 0, SIZE));
        Expect.sameBytes("what an engine read from itself", read, from.bytes());

        EngineTarget neighbour = rig.sides().openHere(rig.setup().spec("neighbour"));
        Sides.introduce(rig.here(), neighbour);
        Block theirs = rig.block(neighbour, rig.permutation().kinds().remote(), SIZE, Access.ALL);
        rig.succeeds(rig.write(from, 0, theirs, 0, SIZE));
        Expect.sameBytes("what went to a neighbour in the process", read, theirs.bytes());
    }

    @RuleTest(
            value = "VER-1",
            topologies = {Topology.PAIR, Topology.PROCESS})
    void ver1_minorsInteroperateAndMajorsDoNot(Rig rig) throws InterruptedException, IOException {
        Block from = rig.local(SIZE);
        Block to = rig.remote(SIZE);
        rig.succeeds(rig.write(from, 0, to, 0, SIZE));
        EngineDescriptor d = Codec.CORE.unpackEngine(rig.target().descriptor());
        int[] version = RawPeer.version(d);
        for (int minor : new int[] {version[1], version[1] + 1, Math.max(0, version[1] - 1)}) {
            try (RawPeer peer = new RawPeer(d, rig.clocks().mustHappen())) {
                peer.open(version[0], minor);
                RawPeer.Frame answer = peer.next();
                Expect.equal(
                        "the type of the frame that answers an OPEN of version " + version[0] + "." + minor,
                        RawPeer.CHALLENGE,
                        answer.type());
            }
        }
        EngineDescriptor other = new EngineDescriptor(
                "later-0000000b",
                d.nodeId().replaceFirst("weft=\\d+", "weft=" + (version[0] + 7)),
                d.hostname(),
                d.host(),
                d.port(),
                d.pid());
        rig.engine().addPeer(other);
        MemoryDescriptor there =
                to.descriptor().toBuilder().engineKey(other.key()).build();
        Transfer refused = rig.fails(
                "a write to an engine of another major",
                rig.track(rig.engine().write(from.region(), 0, there, 0, 8, TransferOptions.DEFAULT)),
                ErrorCode.INCOMPATIBLE);
        for (String named : List.of((version[0] + 7) + ".", version[0] + ".")) {
            Expect.that(
                    refused.text().contains(named),
                    "the text is '" + refused.text() + "', must name both versions, " + named + " too");
        }
        rig.succeeds(rig.write(from, 0, to, 0, SIZE));
    }
}
