package io.weft.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.ErrorCode;
import io.weft.api.Region;
import io.weft.api.Transfer;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import io.weft.api.WeftException;
import io.weft.spi.Backend;
import io.weft.spi.BackendContext;
import io.weft.spi.Link;
import io.weft.spi.LinkEvents;
import io.weft.spi.Peer;
import io.weft.testkit.AssertingProvider;
import io.weft.testkit.ForwardingBackend;
import io.weft.testkit.ForwardingProvider;
import io.weft.testkit.mem.MemProvider;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A peer whose session lives is dialled again when a link cannot be made at once. */
@Timeout(60)
class ReconnectTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final class Refusing extends ForwardingProvider {
        private final AtomicInteger refusals = new AtomicInteger();
        private final AtomicInteger attempts = new AtomicInteger();

        Refusing() {
            super(new MemProvider());
        }

        @Override
        public Backend open(BackendContext context) {
            return new ForwardingBackend(super.open(context)) {
                @Override
                public Link connect(Peer peer, LinkEvents events, long deadlineNanos) {
                    attempts.incrementAndGet();
                    if (refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                        throw new WeftException(ErrorCode.UNREACHABLE, "connection reset, as the test wants it");
                    }
                    return super.connect(peer, events, deadlineNanos);
                }
            };
        }
    }

    @Test
    void aLinkThatIsResetWhileThePeerCutsOffItsPredecessorIsMadeAgain() throws InterruptedException {
        Refusing provider = new Refusing();
        provider.refusals.set(2);
        assertThat(written(provider, Map.of()).await(PATIENCE)).isEqualTo(TransferState.SUCCEEDED);
        assertThat(provider.attempts).hasValue(3);
    }

    @Test
    void whoComesLaterHasAttemptsOfItsOwn() throws InterruptedException {
        Refusing provider = new Refusing();
        provider.refusals.set(4);
        try (TwoEngines engines = new TwoEngines(AssertingProvider.of(provider), Map.of())) {
            Region source = TwoEngines.random(engines.a, 100, new Random(1));
            Region target = TwoEngines.allocate(engines.b, 100);
            Transfer first = engines.a.write(source, 0, target.descriptor(), 0, 100, TransferOptions.DEFAULT);
            Awaitility.await().atMost(PATIENCE).until(() -> provider.attempts.get() >= 4);
            first.cancel();
            first.await(PATIENCE);
            provider.refusals.set(1);
            Transfer second = engines.a.write(source, 0, target.descriptor(), 0, 100, TransferOptions.DEFAULT);
            assertThat(second.await(PATIENCE)).as(second::text).isEqualTo(TransferState.SUCCEEDED);
        }
    }

    @Test
    void attemptsAreBoundedInNumber() throws InterruptedException {
        Refusing provider = new Refusing();
        provider.refusals.set(Integer.MAX_VALUE);
        Transfer transfer = written(provider, Map.of());
        assertThat(transfer.await(PATIENCE)).isEqualTo(TransferState.FAILED);
        assertThat(transfer.code()).contains(ErrorCode.UNREACHABLE);
        assertThat(transfer.text()).contains("connection reset, as the test wants it");
        assertThat(provider.attempts).hasValue(5);
    }

    @Test
    void attemptsEndWithTheConnectTimeout() throws InterruptedException {
        Refusing provider = new Refusing();
        provider.refusals.set(Integer.MAX_VALUE);
        Transfer transfer = written(provider, Map.of("weft.connect-timeout", "90ms"));
        assertThat(transfer.await(PATIENCE)).isEqualTo(TransferState.FAILED);
        assertThat(provider.attempts).hasValueLessThanOrEqualTo(1); // none if the session took as long
    }

    /** A backend that finds its peer without an address, because the session is gone, says that it has no such backend. */
    @Test
    void aSessionThatEndsUnderAConnectIsNoReasonForQuarantine() throws Exception {
        CountDownLatch connecting = new CountDownLatch(1);
        CountDownLatch gone = new CountDownLatch(1);
        AtomicInteger attempts = new AtomicInteger();
        var provider = new ForwardingProvider(new MemProvider()) {
            @Override
            public Backend open(BackendContext context) {
                return new ForwardingBackend(super.open(context)) {
                    @Override
                    public Link connect(Peer peer, LinkEvents events, long deadlineNanos) {
                        if (attempts.getAndIncrement() == 0) {
                            connecting.countDown();
                            pass(gone);
                            throw new WeftException(ErrorCode.INCOMPATIBLE, "the peer has no such backend");
                        }
                        return super.connect(peer, events, deadlineNanos);
                    }
                };
            }
        };
        try (TwoEngines engines = new TwoEngines(AssertingProvider.of(provider), Map.of())) {
            Region source = TwoEngines.random(engines.a, 100, new Random(1));
            Region target = TwoEngines.allocate(engines.b, 100);
            Transfer lost = engines.a.write(source, 0, target.descriptor(), 0, 100, TransferOptions.DEFAULT);
            pass(connecting);
            assertThat(engines.a.fence(engines.b.descriptor().key(), PATIENCE)).isTrue();
            assertThat(lost.await(PATIENCE)).isEqualTo(TransferState.FAILED);
            assertThat(lost.code()).as(lost::text).contains(ErrorCode.PEER_LOST);
            Transfer next = engines.a.write(source, 0, target.descriptor(), 0, 100, TransferOptions.DEFAULT);
            gone.countDown();
            assertThat(next.await(PATIENCE)).as(next::text).isEqualTo(TransferState.SUCCEEDED);
            assertThat(attempts).hasValue(2);
        }
    }

    private static void pass(CountDownLatch gate) {
        try {
            assertThat(gate.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    private static Transfer written(Refusing provider, Map<String, String> options) throws InterruptedException {
        try (TwoEngines engines = new TwoEngines(AssertingProvider.of(provider), options)) {
            Region source = TwoEngines.random(engines.a, 100, new Random(1));
            Region target = TwoEngines.allocate(engines.b, 100);
            Transfer transfer = engines.a.write(source, 0, target.descriptor(), 0, 100, TransferOptions.DEFAULT);
            transfer.await(PATIENCE);
            return transfer;
        }
    }
}
