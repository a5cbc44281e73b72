package io.weft.kv;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.kv.layout.ParallelLayout;
import io.weft.kv.wire.Extras;
import io.weft.kv.wire.NetworkAddress;
import io.weft.kv.wire.Receiver;
import io.weft.kv.wire.RoomAbort;
import io.weft.kv.wire.RoomStatus;
import io.weft.kv.wire.TransferMetadata;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An abort that comes late, or from a rank that has no part in the room, changes nothing of the room's next use (rule KV-2). */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LateAbortsTest {
    private static final long ROOM = 101;
    private static final long EPOCH = 77;
    private static final int[] PAGES = {4, 5};
    private static final int[] SOURCE = {1, 2};

    private final Cluster c =
            new Cluster(TestModel.SMALL, List.of(ParallelLayout.SINGLE), List.of(ParallelLayout.SINGLE));
    /** A decode rank of Weft whose messages the test orders. */
    private final OldPeer decode = new OldPeer(Receiver.DECODE);

    private final NetworkAddress prefill = c.p().prefill().address();
    private final String key = c.d().engine.descriptor().key();

    @BeforeEach
    void register() {
        decode.register(prefill, c.d());
    }

    @AfterEach
    void close() {
        decode.close();
        c.close();
    }

    private static Extras extras(String engineKey, long generation) {
        return Extras.from(EPOCH, engineKey).withRoom(generation, 0);
    }

    private void sendMetadata(long generation) {
        TransferMetadata old = decode.metadata(c.d(), ROOM, PAGES, 2, 0);
        decode.send(
                prefill,
                new TransferMetadata(
                        old.room(),
                        old.host(),
                        old.port(),
                        old.engineKey(),
                        old.pages(),
                        old.auxIndex(),
                        old.stateIndices(),
                        old.requiredPeers(),
                        old.prefixTokens(),
                        extras(key, generation).withDummy(false)));
    }

    private void sendAbort(String engineKey, long generation) {
        NetworkAddress self = decode.endpoint.address();
        decode.send(prefill, new RoomAbort(ROOM, self.host(), self.port(), extras(engineKey, generation)));
    }

    /** Each abort of a Weft rank is answered, so after the answer it has had its effect. */
    private void awaitAnswer(long generation) throws InterruptedException {
        RoomStatus status = decode.next(RoomStatus.class);
        while (status.extras().generation() != generation) {
            status = decode.next(RoomStatus.class);
        }
        assertThat(status.status()).isEqualTo(RoomStatus.FAILED);
    }

    private void assertNextUseSucceeds(KvSender next) {
        assertThat(next.poll()).isEqualTo(KvPoll.BOOTSTRAPPING);
        sendMetadata(2);
        next.init(2, 1);
        next.send(SOURCE);
        Cluster.await(next, KvPoll.SUCCESS);
    }

    @Test
    void ofAUseThatEndedHere() throws InterruptedException {
        KvSender first = c.p().prefill().sender(ROOM);
        sendMetadata(1);
        Cluster.await(first, KvPoll.WAITING_FOR_INPUT);
        first.abort();
        awaitAnswer(1);
        first.clear();
        KvSender next = c.p().prefill().sender(ROOM);
        sendAbort(key, 1);
        awaitAnswer(1);
        assertNextUseSucceeds(next);
    }

    @Test
    void ofAUseThatFailedHereBeforeItsDecodeRankWasHeard() throws InterruptedException {
        KvSender first = c.p().prefill().sender(ROOM);
        first.abort();
        first.clear();
        sendMetadata(1);
        awaitAnswer(1);
        KvSender next = c.p().prefill().sender(ROOM);
        sendAbort(key, 1);
        awaitAnswer(1);
        assertNextUseSucceeds(next);
    }

    @Test
    void thatIsSaidTwice() throws InterruptedException {
        KvSender first = c.p().prefill().sender(ROOM);
        sendAbort(key, 1);
        awaitAnswer(1);
        Cluster.await(first, KvPoll.FAILED);
        first.clear();
        KvSender next = c.p().prefill().sender(ROOM);
        sendAbort(key, 1);
        awaitAnswer(1);
        assertNextUseSucceeds(next);
    }

    @Test
    void ofARankThatHasNoPartInTheRoom() throws InterruptedException {
        KvSender sender = c.p().prefill().sender(ROOM);
        sendMetadata(1);
        Cluster.await(sender, KvPoll.WAITING_FOR_INPUT);
        sendAbort("stranger-00000001", 9);
        awaitAnswer(9);
        assertThat(sender.poll()).isEqualTo(KvPoll.WAITING_FOR_INPUT);
        sender.init(2, 1);
        sender.send(SOURCE);
        Cluster.await(sender, KvPoll.SUCCESS);
    }
}
