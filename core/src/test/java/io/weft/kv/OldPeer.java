package io.weft.kv;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.Region;
import io.weft.api.RegisterOptions;
import io.weft.engine.Descriptors;
import io.weft.kv.internal.endpoint.ControlEndpoint;
import io.weft.kv.internal.endpoint.EndpointEvents;
import io.weft.kv.internal.memory.LocalBuffers;
import io.weft.kv.wire.Decoded;
import io.weft.kv.wire.Extras;
import io.weft.kv.wire.KvCodec;
import io.weft.kv.wire.KvMessage;
import io.weft.kv.wire.NetworkAddress;
import io.weft.kv.wire.PeerRegistration;
import io.weft.kv.wire.Receiver;
import io.weft.kv.wire.RoomStatus;
import io.weft.kv.wire.TransferMetadata;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A rank that speaks like the original: no trailing frame, nothing that only Weft knows. The test plays its part by hand. */
final class OldPeer implements EndpointEvents, AutoCloseable {
    final ControlEndpoint endpoint =
            new ControlEndpoint("old-peer", "127.0.0.1", Duration.ofSeconds(5), System::nanoTime, this);
    private final Receiver side;
    private final BlockingQueue<List<byte[]>> heard = new LinkedBlockingQueue<>();

    OldPeer(Receiver side) {
        this.side = side;
        endpoint.start();
    }

    @Override
    public void onMessage(List<byte[]> frames) {
        heard.add(frames);
    }

    @Override
    public void onUnreachable(NetworkAddress address, String why) {}

    void send(NetworkAddress to, KvMessage message) {
        assertThat(endpoint.send(to, message)).isTrue();
    }

    /** The next message, whatever it is. */
    KvMessage next() throws InterruptedException {
        List<byte[]> frames = heard.poll(20, TimeUnit.SECONDS);
        assertThat(frames).as("a message").isNotNull();
        Decoded decoded = KvCodec.decode(side, frames);
        assertThat(decoded).isInstanceOf(Decoded.Accepted.class);
        return ((Decoded.Accepted) decoded).message();
    }

    <T extends KvMessage> T next(Class<T> type) throws InterruptedException {
        KvMessage message = next();
        while (!type.isInstance(message)) {
            message = next();
        }
        return type.cast(message);
    }

    boolean heardNothing(Duration within) throws InterruptedException {
        return heard.poll(within.toMillis(), TimeUnit.MILLISECONDS) == null;
    }

    /** Registers the memory of a rank's engine with a prefill rank, as its decode rank. */
    void register(NetworkAddress prefill, TestRank memory) {
        List<Region> kv = memory.kv.stream()
                .map(s -> memory.engine.register(s, RegisterOptions.DEFAULT))
                .toList();
        List<Region> aux = memory.aux.stream()
                .map(s -> memory.engine.register(s, RegisterOptions.DEFAULT))
                .toList();
        send(
                prefill,
                new PeerRegistration(
                        endpoint.address().host(),
                        endpoint.address().port(),
                        Descriptors.pack(memory.engine.descriptor()),
                        LocalBuffers.packed(kv),
                        LocalBuffers.packed(aux),
                        List.of(),
                        -1,
                        memory.layout.tpSize(),
                        memory.layout.tpRank(),
                        memory.itemLen(),
                        new long[0][],
                        new long[0][],
                        Extras.NONE));
    }

    TransferMetadata metadata(TestRank memory, long room, int[] pages, int auxRow, int prefix) {
        return new TransferMetadata(
                room,
                endpoint.address().host(),
                endpoint.address().port(),
                memory.engine.descriptor().key(),
                pages,
                auxRow,
                new int[0][],
                1,
                prefix,
                Extras.NONE);
    }

    static RoomStatus success(long room, int rank) {
        return new RoomStatus(room, RoomStatus.SUCCESS, rank, "", Extras.NONE);
    }

    static RoomStatus failed(long room, int rank, String reason) {
        return new RoomStatus(room, RoomStatus.FAILED, rank, reason, Extras.NONE);
    }

    @Override
    public void close() {
        endpoint.close();
    }
}
