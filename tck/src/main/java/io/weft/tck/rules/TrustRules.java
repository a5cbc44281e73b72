package io.weft.tck.rules;

import io.weft.api.Access;
import io.weft.api.EngineDescriptor;
import io.weft.api.ErrorCode;
import io.weft.api.Transfer;
import io.weft.api.TransferOptions;
import io.weft.tck.harness.Block;
import io.weft.tck.harness.Codec;
import io.weft.tck.harness.EngineTarget;
import io.weft.tck.harness.Expect;
import io.weft.tck.harness.Rig;
import io.weft.tck.harness.RuleSuite;
import io.weft.tck.harness.RuleTest;
import io.weft.tck.harness.Sides;
import io.weft.tck.harness.Topology;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** SEC: what strangers on the control port can do. */
@RuleSuite
class TrustRules {
    private static final int SIZE = 1000;
    private static final String SECRET = "kit-secret-3f9a1c7e5b2d8a60-of-the-test";

    @RuleTest(
            value = "SEC-2",
            topologies = {Topology.PAIR, Topology.PROCESS})
    void sec2_brokenInputEndsItsConnectionAndHarmsNoOther(Rig rig) throws InterruptedException, IOException {
        rig.setup().with("weft.control-timeout", Duration.ofMillis(500));
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
        rig.setup()
                .with("weft.secret", SECRET)
                .with("weft.control-timeout", Duration.ofMillis(500))
                .with("weft.connect-timeout", Duration.ofMillis(1500));
        Block from = rig.local(SIZE);
        from.fill(1);
        Block to = rig.remote(SIZE);
        rig.succeeds(rig.write(from, 0, to, 0, SIZE));
        byte[] kept = to.fill(5);
        for (String wrong : List.of("", "another-secret-of-more-than-32-characters")) {
            EngineTarget stranger =
                    rig.sides().openHere(rig.setup().spec("stranger").with("weft.secret", wrong));
            Sides.introduce(stranger, rig.target());
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
}
