package io.weft.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weft.api.Candidate;
import io.weft.api.ErrorCode;
import io.weft.api.MemoryKind;
import io.weft.api.Region;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import io.weft.api.Verdict;
import io.weft.api.WeftException;
import io.weft.config.ConfigurationSources;
import io.weft.spi.Backend;
import io.weft.spi.BackendContext;
import io.weft.spi.Link;
import io.weft.spi.LinkEvents;
import io.weft.spi.Peer;
import io.weft.testkit.ForwardingBackend;
import io.weft.testkit.ForwardingProvider;
import io.weft.testkit.mem.MemProvider;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A preferred backend that cannot reach the peer, under each policy, and what explain says of it (rules CFG-2, CFG-3). */
@Timeout(30)
class RoutePolicyTest {
    private static final String WHY = "the switch has no route";

    /** The reference backend by another name, which reaches nobody. */
    private static final class Preferred extends ForwardingProvider {
        Preferred() {
            super(new MemProvider());
        }

        @Override
        public String name() {
            return "preferred";
        }

        @Override
        public Backend open(BackendContext context) {
            return new ForwardingBackend(super.open(underAnotherName(context))) {
                @Override
                public Link connect(Peer peer, LinkEvents events, long deadlineNanos) {
                    throw new WeftException(ErrorCode.DEVICE, WHY);
                }
            };
        }
    }

    /** The reference backend finds its peers by their engines' keys, so two of them in one engine would be one. */
    private static BackendContext underAnotherName(BackendContext context) {
        return (BackendContext) Proxy.newProxyInstance(
                BackendContext.class.getClassLoader(),
                new Class<?>[] {BackendContext.class},
                (proxy, method, arguments) -> method.getName().equals("engineKey")
                        ? "preferred-" + context.engineKey()
                        : method.invoke(context, arguments));
    }

    private final Preferred preferred = new Preferred();

    @ParameterizedTest
    @ValueSource(strings = {"warn", "allow"})
    void anotherBackendTakesOverAndExplainSaysWhy(String policy) throws InterruptedException {
        try (TransferEngine a = open("a", Map.of("weft.route.policy", policy));
                TransferEngine b = open("b", Map.of())) {
            introduce(a, b);
            assertThat(candidate(a, b, "preferred").verdict()).isEqualTo(Verdict.CHOSEN);

            Transfer transfer = write(a, b);

            assertThat(transfer.state()).as(transfer.text()).isEqualTo(TransferState.SUCCEEDED);
            Candidate out = candidate(a, b, "preferred");
            assertThat(out.verdict()).isEqualTo(Verdict.QUARANTINED);
            assertThat(out.evidence())
                    .contains("connecting to peer " + b.descriptor().key(), ErrorCode.DEVICE.name(), WHY);
            Candidate in = candidate(a, b, "mem");
            assertThat(in.verdict()).isEqualTo(Verdict.CHOSEN);
            assertThat(in.evidence()).contains("preferred would be preferred and is in quarantine");
        }
    }

    @Test
    void underFailNothingTakesOver() throws InterruptedException {
        try (TransferEngine a = open("a", Map.of("weft.route.policy", "fail"));
                TransferEngine b = open("b", Map.of())) {
            introduce(a, b);

            Transfer transfer = write(a, b);

            assertThat(transfer.state()).isEqualTo(TransferState.FAILED);
            assertThat(transfer.text()).contains(WHY, "the route policy is fail (weft.route.policy");
            Candidate passed = candidate(a, b, "mem");
            assertThat(passed.verdict()).isEqualTo(Verdict.OUTRANKED);
            assertThat(passed.evidence()).contains("in quarantine", "the route policy is fail");
        }
    }

    @Test
    void aQuarantineEnds() throws InterruptedException {
        try (TransferEngine a = open("a", Map.of("weft.route.quarantine", "50ms"));
                TransferEngine b = open("b", Map.of())) {
            introduce(a, b);
            write(a, b);

            await().atMost(Duration.ofSeconds(10))
                    .until(() -> candidate(a, b, "preferred").verdict() == Verdict.CHOSEN);
        }
    }

    private TransferEngine open(String name, Map<String, String> options) {
        return Weft.builder()
                .configuration(ConfigurationSources.none(Path.of("target")).withApi(options))
                .name(name)
                .provider(preferred)
                .provider(new MemProvider())
                .option("weft.backends.order", "preferred,mem")
                .open();
    }

    private static void introduce(TransferEngine a, TransferEngine b) {
        a.addPeer(b.descriptor());
        b.addPeer(a.descriptor());
    }

    private static Transfer write(TransferEngine a, TransferEngine b) throws InterruptedException {
        Region from = TwoEngines.allocate(a, 64);
        Region to = TwoEngines.allocate(b, 64);
        Transfer transfer = a.write(from, 0, to.descriptor(), 0, 64, TransferOptions.DEFAULT);
        transfer.await(Duration.ofSeconds(20));
        return transfer;
    }

    private static Candidate candidate(TransferEngine a, TransferEngine b, String name) {
        return a.explain(b.descriptor().key(), MemoryKind.HOST, MemoryKind.HOST).candidates().stream()
                .filter(c -> c.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
