package io.weft.tck.mutants;

import io.weft.api.Candidate;
import io.weft.api.EngineDescriptor;
import io.weft.api.ErrorCode;
import io.weft.api.MemoryDescriptor;
import io.weft.api.SelectionReport;
import io.weft.api.Verdict;
import io.weft.spi.Availability;
import io.weft.spi.BackendProvider;
import io.weft.spi.LocalMemory;
import io.weft.spi.Peer;
import io.weft.spi.ProbeContext;
import io.weft.testkit.ForwardingBackend;
import io.weft.testkit.ForwardingProvider;
import java.net.Socket;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** Defects of peers, selection, configuration and trust. */
final class PeerMutants {
    private static final System.Logger LOG = System.getLogger("io.weft.talkative");

    private PeerMutants() {}

    static List<Mutant> all() {
        return List.of(
                Mutant.engine("PEER-1", "addPeer connects", "addPeer connected to the peer", (sound, method, args) -> {
                    Object result = Spoil.go(sound, method, args);
                    if (method.getName().equals("addPeer")) {
                        EngineDescriptor peer = (EngineDescriptor) args[0];
                        new Socket(peer.host(), peer.port()).close();
                    }
                    return result;
                }),
                Mutant.engine(
                        "PEER-2",
                        "a lost peer is called FABRIC",
                        "must be FAILED with PEER_LOST",
                        Spoil.codes(ErrorCode.PEER_LOST, ErrorCode.FABRIC)),
                Mutant.engine(
                        "PEER-3",
                        "a known key is never replaced",
                        "must be SUCCEEDED",
                        (sound, method, args) -> method.getName().equals("addPeer")
                                        && sound.peerState(((EngineDescriptor) args[0]).key())
                                                .isPresent()
                                ? null
                                : Spoil.go(sound, method, args)),
                Mutant.engine(
                        "PEER-4",
                        "peers are never removed",
                        "must be terminal",
                        (sound, method, args) ->
                                method.getName().equals("removePeer") ? null : Spoil.go(sound, method, args)),
                Mutant.engine(
                        "PEER-5",
                        "only one side may connect",
                        "must be SUCCEEDED",
                        (sound, method, args) -> method.getName().equals("addPeer")
                                        && sound.descriptor().key().startsWith("dialler")
                                ? null
                                : Spoil.go(sound, method, args)),
                Mutant.engine(
                        "PEER-6", "an engine does not know itself", "must be SUCCEEDED", (sound, method, args) -> {
                            if (method.getName().equals("write")
                                    && args[2] instanceof MemoryDescriptor to
                                    && to.engineKey().equals(sound.descriptor().key())) {
                                args[2] = to.toBuilder()
                                        .engineKey("nobody-00000000")
                                        .build();
                            }
                            return Spoil.go(sound, method, args);
                        }),
                Mutant.engine(
                        "VER-1",
                        "another major is called UNREACHABLE",
                        "must be FAILED with INCOMPATIBLE",
                        Spoil.codes(ErrorCode.INCOMPATIBLE, ErrorCode.UNREACHABLE)),
                Mutant.backend("CAP-2", "probe leaves a thread", "five probes left", LeavesThreads::new),
                Mutant.spec(
                        "CFG-1",
                        "one error is told",
                        "does not name weft.listen.port",
                        spec -> spec.options().containsKey("weft.transfer.dedline")
                                ? Spoil.without("weft.listen.port").apply(spec)
                                : spec),
                Mutant.engine("CFG-2", "explain gives no reasons", "gives no evidence", (sound, method, args) -> {
                    Object result = Spoil.go(sound, method, args);
                    return result instanceof SelectionReport report ? silent(report) : result;
                }),
                Mutant.spec(
                        "CFG-3",
                        "policies are ignored",
                        "must be FAILED with UNSUPPORTED",
                        Spoil.without("weft.route.policy")),
                Mutant.spec(
                        "SEC-2",
                        "strangers may stay",
                        "must be closed",
                        spec -> spec.options().containsKey("weft.control-timeout")
                                ? spec.with("weft.control-timeout", "1h")
                                : spec),
                Mutant.spec("SEC-3", "secrets are ignored", "must be FAILED with one of", Spoil.without("weft.secret")),
                Mutant.backend(
                        "SEC-4",
                        "keys are logged",
                        "a region's key is told",
                        sound -> talkative(sound, text -> LOG.log(System.Logger.Level.DEBUG, text))),
                Mutant.backend(
                        "SEC-4",
                        "keys are printed",
                        "a region's key is told",
                        sound -> talkative(sound, text -> System.err.println(text))));
    }

    private static SelectionReport silent(SelectionReport report) {
        return new SelectionReport(
                report.question(),
                report.candidates().stream()
                        .map(c -> new Candidate(
                                c.name(),
                                c.version(),
                                c.spiLevel(),
                                c.source(),
                                c.verdict(),
                                c.verdict() == Verdict.CHOSEN ? c.evidence() : ""))
                        .toList());
    }

    private static final class LeavesThreads extends ForwardingProvider {
        LeavesThreads(BackendProvider sound) {
            super(sound);
        }

        @Override
        public Availability probe(ProbeContext context) {
            Thread.ofPlatform()
                    .daemon()
                    .name("left by a probe")
                    .start(() -> LockSupport.parkNanos(Duration.ofSeconds(60).toNanos()));
            return super.probe(context);
        }
    }

    private static BackendProvider talkative(BackendProvider sound, Consumer<String> tell) {
        return Spoil.backends(sound, backend -> new ForwardingBackend(backend) {
            @Override
            public byte[] exportKey(Peer peer, LocalMemory memory) {
                byte[] key = super.exportKey(peer, memory);
                tell.accept("exported key " + HexFormat.of().formatHex(key));
                return key;
            }
        });
    }
}
