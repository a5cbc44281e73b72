package io.weft.backend.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.backend.rdma.mori.AskMemoryRegion;
import io.weft.backend.rdma.mori.ControlClient;
import io.weft.backend.rdma.mori.RegEndpoint;
import io.weft.backend.rdma.mori.RegEndpoint.Topology;
import io.weft.spi.EngineClock;
import io.weft.spi.Link;
import io.weft.spi.OperationKind;
import io.weft.spi.RemoteMemory;
import io.weft.spi.WireClaim;
import io.weft.testkit.CopiedOperation;
import io.weft.testkit.lone.LoneContext;
import io.weft.testkit.lone.LonePair;
import io.weft.testkit.lone.PlainPeer;
import io.weft.testkit.lone.RecordedLink;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two backends that take each other for plain MORI-IO engines, over MORI's control plane and the fake library. */
@Timeout(60)
class PlainPeersTest {
    private static final int BYTES = 100_000;
    private static final int RECEIVES = 4;
    private static final int ENDPOINTS = 3;

    @TempDir
    static Path directory;

    private static FakeVerbs fake;

    private ServerSocketChannel listener;
    private Thread acceptor;
    private LonePair pair;
    private PlainPeer right;
    private LonePair.Memory source;
    private LonePair.Memory target;

    @BeforeAll
    static void build() throws Exception {
        fake = FakeVerbs.in(directory);
    }

    @BeforeEach
    void open() throws Exception {
        pair = new LonePair(
                new RdmaProvider(),
                Map.of("library", fake.path()),
                Map.of(
                        "library", fake.path(),
                        "plain-receives", Integer.toString(RECEIVES),
                        "plain-endpoints", Integer.toString(ENDPOINTS)));
        pair.right().admitPlain();
        listener = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        acceptor = Thread.ofVirtual().start(this::accept);
        right = new PlainPeer("right", "127.0.0.1", listener.socket().getLocalPort());
        source = pair.memory(pair.left(), BYTES);
        target = pair.memory(pair.right(), BYTES);
    }

    /** Hands over as core does. */
    private void accept() {
        WireClaim backend = (WireClaim) pair.right().backend();
        try {
            while (true) {
                SocketChannel channel = listener.accept();
                channel.configureBlocking(false);
                backend.accept(channel, ByteBuffer.allocate(0));
            }
        } catch (ClosedChannelException over) {
            return;
        } catch (IOException broken) {
            throw new AssertionError(broken);
        }
    }

    @AfterEach
    void leaveNothing() throws Exception {
        listener.close();
        acceptor.join(TimeUnit.SECONDS.toMillis(10));
        pair.close();
        assertThat(fake.overruns()).isZero();
        assertThat(fake.objects()).isZero();
    }

    private Link connect(RecordedLink events) {
        return pair.left().backend().connect(right, events, LonePair.deadline());
    }

    private RemoteMemory key(LonePair.Memory memory) {
        return pair.left().backend().importKey(right, memory.spec().descriptor("right"), new byte[0]);
    }

    private static RegEndpoint request(String key) {
        byte[] gid = new byte[16];
        gid[15] = 1;
        return new RegEndpoint(key, Topology.HOST, Topology.HOST, 0, 0, 99, 1, 0, gid, new byte[6], 0, 0);
    }

    private RegEndpoint ask(RegEndpoint request) {
        return ControlClient.ask(right, request, EngineClock.SYSTEM, LonePair.deadline());
    }

    private AskMemoryRegion ask(AskMemoryRegion request) {
        return ControlClient.ask(right, request, EngineClock.SYSTEM, LonePair.deadline());
    }

    @ParameterizedTest
    @EnumSource(OperationKind.class)
    void movesBytesAsBetweenWeftEngines(OperationKind kind) throws Exception {
        Random random = new Random(1);
        for (int i = 0; i < BYTES; i++) {
            source.bytes().set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
            target.bytes().set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
        }
        Link link = connect(new RecordedLink());

        assertThat(pair.run(pair.left(), link, kind, source, key(target), new long[] {0, 0, BYTES})
                        .code())
                .isZero();

        assertThat(source.bytes().mismatch(target.bytes())).isEqualTo(-1);
    }

    @Test
    void everyNotificationArrivesThoughThereAreMoreThanReceiveBuffers() throws Exception {
        Link link = connect(new RecordedLink());
        List<Long> ids = new ArrayList<>();
        for (long id = 1; id <= 10 * RECEIVES; id++) {
            assertThat(link.post(CopiedOperation.announcement(id << 33))).isEqualTo(Link.ACCEPTED);
            assertThat(pair.left()
                            .completions()
                            .await(id << 33, LonePair.PATIENCE)
                            .code())
                    .isZero();
            ids.add(id << 33);
            long last = id << 33;
            Awaitility.await().until(() -> pair.right().inboundEnds().stream().anyMatch(e -> e.transferId() == last));
        }
        assertThat(pair.right().inboundEnds())
                .allSatisfy(end -> assertThat(end.peerKey()).isEqualTo("left"))
                .allSatisfy(end -> assertThat(end.code()).isZero())
                .extracting(LoneContext.Inbound::transferId)
                .containsExactlyElementsOf(ids);
    }

    @Test
    void answersInTheInitiatorsPerspectiveWithTheQueuePairReady() {
        RegEndpoint request = request("someone");

        RegEndpoint answer = ask(request);

        assertThat(answer.engineKey()).isEqualTo("right");
        assertThat(answer.initiatorSide()).isEqualTo(request.initiatorSide());
        assertThat(answer.targetSide()).isEqualTo(request.targetSide());
        assertThat(answer.psn()).isZero();
        assertThat(answer.qpn()).isPositive();
        assertThat(answer.device()).isZero();
        assertThat(answer.railId()).isZero();
    }

    @Test
    void unknownRegionsAndForeignDevicesAreZeros() {
        ask(request("someone"));
        int id = target.spec().regionId();

        AskMemoryRegion known = ask(AskMemoryRegion.of("right", 0, id));
        assertThat(known.address()).isEqualTo(target.spec().address());
        assertThat(known.length()).isEqualTo(BYTES);
        assertThat(known.lkey()).isZero();
        for (AskMemoryRegion wrong : List.of(
                AskMemoryRegion.of("right", 1, id),
                AskMemoryRegion.of("right", -1, id),
                AskMemoryRegion.of("right", Integer.MAX_VALUE, id),
                AskMemoryRegion.of("right", 0, id + 1_000))) {
            assertThat(ask(wrong)).isEqualTo(wrong);
        }
        assertThatThrownBy(() ->
                        pair.left().backend().importKey(right, target.spec().descriptor("right"), new byte[0]))
                .hasMessageContaining("once a queue pair is there");
    }

    @Test
    void aRegionOfAnotherLengthThanItsDescriptorIsRefused() {
        connect(new RecordedLink());
        assertThatThrownBy(() -> pair.left()
                        .backend()
                        .importKey(
                                right,
                                target.spec().descriptor("right").toBuilder()
                                        .range(target.spec().address(), BYTES - 1)
                                        .build(),
                                new byte[0]))
                .isInstanceOfSatisfying(
                        WeftException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.REMOTE_ACCESS));
    }

    @Test
    void whoHasNoQueuePairGetsNoKey() {
        assertThatThrownBy(
                        () -> ask(AskMemoryRegion.of("right", 0, target.spec().regionId())))
                .isInstanceOfSatisfying(
                        WeftException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNREACHABLE));
    }

    @Test
    void aWeftEnginesNameIsNotTaken() {
        assertThatThrownBy(() -> ask(request("right"))).hasMessageContaining("queue pair");
    }

    @Test
    void anEngineThatAsksAgainAndAgainHoldsNoMoreThanItsLimit() {
        for (int i = 0; i < ENDPOINTS; i++) {
            ask(request("retrying"));
        }
        int full = fake.objects();
        for (int i = 0; i < 20; i++) {
            ask(request("retrying"));
        }
        assertThat(fake.objects()).isEqualTo(full);
    }

    @Test
    void aFenceEndsWhatThePeerHasAndItMayComeBack() throws Exception {
        RecordedLink events = new RecordedLink();
        Link link = connect(events);
        RemoteMemory key = key(target);
        PlainPeer left = new PlainPeer("left", "127.0.0.1", 0);

        assertThat(pair.right().backend().fencePeer(left, LonePair.deadline())).isTrue();

        assertThat(pair.run(pair.left(), link, OperationKind.WRITE, source, key, new long[] {0, 0, 10})
                        .code())
                .isEqualTo(ErrorCode.PEER_LOST.number());
        assertThat(events.downLatch().await(20, TimeUnit.SECONDS)).isTrue();
        link.close();
        Link next = connect(new RecordedLink());
        assertThat(pair.run(pair.left(), next, OperationKind.WRITE, source, key(target), new long[] {0, 0, 10})
                        .code())
                .isZero();
    }

    @Test
    void silentClientsDelayNobody() throws Exception {
        List<Socket> silent = new ArrayList<>();
        try {
            for (int i = 0; i < 30; i++) {
                Socket one = new Socket(right.host(), right.port());
                one.getOutputStream().write(0);
                silent.add(one);
            }
            assertThat(ask(request("someone")).qpn()).isPositive();
        } finally {
            for (Socket one : silent) {
                one.close();
            }
        }
    }

    @Test
    void readsARequestByteByByte() throws Exception {
        try (Socket socket = new Socket(right.host(), right.port())) {
            socket.setTcpNoDelay(true);
            for (byte one : request("slow").encode()) {
                socket.getOutputStream().write(one);
            }
            assertThat(socket.getInputStream().readAllBytes())
                    .startsWith(0, 0, 0, 0)
                    .hasSizeGreaterThan(50);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"020000000190", "0000100000", "01ffffffff", "0000000001c0", "000000000196", "010000000394a17a"})
    void whatCannotBeReadGetsNothing(String hex) throws Exception {
        try (Socket socket = new Socket(right.host(), right.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(HexFormat.of().parseHex(hex));
            assertThat(answer(socket)).isEmpty();
        }
        assertThat(ask(request("someone")).qpn()).isPositive();
    }

    private static byte[] answer(Socket socket) throws IOException {
        try {
            return socket.getInputStream().readAllBytes();
        } catch (SocketException reset) {
            return new byte[0];
        }
    }
}
