package io.weft.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.weft.api.ErrorCode;
import io.weft.api.MemoryLocation;
import io.weft.api.WeftException;
import io.weft.kv.RankConfig;
import io.weft.kv.RankDirectory.Coordinates;
import io.weft.kv.RankDirectory.Handle;
import io.weft.kv.RankDirectory.RankAddress;
import io.weft.kv.RankDirectory.Registration;
import io.weft.kv.layout.BufferSpec;
import io.weft.kv.layout.KvArgs;
import io.weft.kv.layout.ParallelLayout;
import io.weft.kv.wire.NetworkAddress;
import io.weft.spi.EngineClock;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** Server and client over HTTP. */
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class BootstrapTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration HEARTBEAT = Duration.ofSeconds(1);

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable c : open.reversed()) {
            c.close();
        }
    }

    private <T extends AutoCloseable> T keep(T closeable) {
        open.add(closeable);
        return closeable;
    }

    private BootstrapServer server(int port, String secret) {
        return keep(BootstrapServer.start(BootstrapSettings.of("127.0.0.1", port, secret)));
    }

    private BootstrapClient client(String secret) {
        return keep(new BootstrapClient(secret, HEARTBEAT));
    }

    private static String address(BootstrapServer server) {
        return new NetworkAddress(server.host(), server.port()).hostPort();
    }

    private static Registration registration(int tpSize, int tpRank, long epoch) {
        KvArgs args = KvArgs.builder()
                .kv(List.of(
                        new BufferSpec(0x1000, 4_096, 64, MemoryLocation.HOST),
                        new BufferSpec(0x9000, 4_096, 64, MemoryLocation.HOST)))
                .pageSize(16)
                .dtype("auto")
                .build();
        return new Registration(
                new Coordinates(0, 0, tpRank, 0),
                RankConfig.of(args, ParallelLayout.tp(tpSize, tpRank), ""),
                new NetworkAddress("10.0.0.1", 5_000 + tpRank),
                epoch,
                "engine-" + epoch);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a shared secret"})
    void ranksRegisterAndAreFound(String secret) {
        String registry = address(server(0, secret));
        BootstrapClient client = client(secret);
        assertThat(client.health(registry)).isEmpty();
        assertFails(ErrorCode.RESOURCE_EXHAUSTED, () -> client.topology(registry));
        keep(client.keepRegistered(registry, registration(2, 0, 7)));
        Handle second = client.keepRegistered(registry, registration(2, 1, -8));
        awaitReady(client, registry);
        assertThat(client.topology(registry).tpSize()).isEqualTo(2);
        assertThat(client.topology(registry).pageSize()).isEqualTo(16);
        assertThat(client.topology(registry).dtype()).isEqualTo("auto");
        assertThat(client.topology(registry).followsRoom()).isTrue();
        assertThat(client.rank(registry, new Coordinates(0, 0, 1, 0)))
                .isEqualTo(new RankAddress(new NetworkAddress("10.0.0.1", 5_001), -8, "engine--8"));
        assertFails(ErrorCode.NOT_REGISTERED, () -> client.rank(registry, new Coordinates(1, 0, 0, 0)));
        client.registerDpRank(registry, -1, 3);
        assertThat(client.dpRanks(registry, List.of(0L, -1L))).isEqualTo(Map.of(-1L, 3));
        second.close();
        assertFails(ErrorCode.RESOURCE_EXHAUSTED, () -> client.topology(registry));
    }

    /** Rule KV-11. */
    @Test
    void aRestartedRegistryLearnsItsRanksAgain() {
        BootstrapServer first = server(0, null);
        String registry = address(first);
        BootstrapClient client = client(null);
        keep(client.keepRegistered(registry, registration(1, 0, 7)));
        awaitReady(client, registry);
        first.close();
        assertThat(client.health(registry)).isPresent();
        assertFails(ErrorCode.UNREACHABLE, () -> client.topology(registry));
        server(first.port(), null);
        awaitReady(client, registry);
    }

    /** As a rank of SGLang sees it: plain requests, plain answers. */
    @Test
    void anOlderClientRegistersAndLooksUp() throws Exception {
        BootstrapServer server = server(0, null);
        String base = "http://" + address(server);
        String body = JsonMapper.shared().writeValueAsString(RoutesTest.registration(1, 0, 5_000));
        HttpResponse<String> put = raw("PUT", base + "/route", body);
        assertThat(put.statusCode()).isEqualTo(200);
        assertThat(put.body()).isEqualTo("OK");
        String at = "/route?prefill_dp_rank=0&prefill_cp_rank=0&target_tp_rank=0&target_pp_rank=0";
        assertThat(raw("GET", base + at, "").body()).isEqualTo("{\"rank_ip\":\"10.0.0.1\",\"rank_port\":5000}");
        HttpResponse<String> wrong = raw("POST", base + "/route", "");
        assertThat(wrong.statusCode()).isEqualTo(405);
        assertThat(wrong.headers().firstValue("content-type").orElse("")).startsWith("application/json");
        assertThat(raw("PUT", base + "/route", "{").statusCode()).isEqualTo(400);
        assertThat(raw("PUT", base + "/route", " ".repeat(Routes.MAX_BODY + 1)).statusCode())
                .isEqualTo(413);
    }

    @ParameterizedTest
    @CsvSource({"one secret, another", "one secret, ", ", another"})
    void differentSecretsAreAuthenticationErrors(String ofServer, String ofClient) {
        String registry = address(server(0, ofServer));
        BootstrapClient client = client(ofClient);
        assertFails(ErrorCode.AUTHENTICATION, () -> client.topology(registry));
        assertFails(ErrorCode.AUTHENTICATION, () -> client.registerDpRank(registry, 1, 1));
        assertThat(client.health(registry)).isEmpty();
    }

    @Test
    void withASecretAProofIsGoodForOneRequestOnce() throws Exception {
        String registry = address(server(0, "s"));
        String path = "/weft/v1/ranks";
        String challenge = raw("GET", "http://" + registry + path, "")
                .headers()
                .firstValue("Weft-Challenge")
                .orElseThrow();
        String proof = new RequestProof("s".getBytes(StandardCharsets.UTF_8)).of("request", challenge, "GET", path, "");
        assertThat(proved(registry, path, challenge, proof).statusCode()).isEqualTo(200);
        assertThat(proved(registry, path, challenge, proof).statusCode()).isEqualTo(401);
        String other = raw("GET", "http://" + registry + path, "")
                .headers()
                .firstValue("Weft-Challenge")
                .orElseThrow();
        String forAnother =
                new RequestProof("s".getBytes(StandardCharsets.UTF_8)).of("request", other, "GET", path + "?x=1", "");
        assertThat(proved(registry, path, other, forAnother).statusCode()).isEqualTo(401);
        assertThat(BootstrapSettings.of("h", 1, "hunter2").toString()).doesNotContain("hunter2");
    }

    /** SGLang's server counts every registration and has no route of Weft's. */
    @Test
    void towardsAnOlderRegistryARankRegistersOnceForEachLifeOfIt() throws Exception {
        List<String> puts = new CopyOnWriteArrayList<>();
        HttpServer older = olderRegistry(0, puts);
        int port = older.getAddress().getPort();
        String registry = "127.0.0.1:" + port;
        BootstrapClient client = client(null);
        keep(client.keepRegistered(registry, registration(1, 0, 7)));
        await().atMost(PATIENCE).until(() -> puts.size() == 1);
        assertThat(puts.getFirst())
                .contains("\"attn_tp_size\":1")
                .doesNotContain("epoch")
                .doesNotContain("engine_key");
        // It asked for health at least twice meanwhile and did not register again.
        await().atMost(PATIENCE).until(() -> healthAsked.size() >= 2);
        assertThat(puts).hasSize(1);
        older.stop(0);
        await().atMost(PATIENCE).until(() -> client.health(registry).isPresent());
        int asked = healthAsked.size();
        await().during(Duration.ofMillis(2_500)).atMost(PATIENCE).until(() -> healthAsked.size() == asked);
        HttpServer again = olderRegistry(port, puts);
        await().atMost(PATIENCE).until(() -> puts.size() == 2);
        again.stop(0);
    }

    private final List<String> healthAsked = new CopyOnWriteArrayList<>();

    private HttpServer olderRegistry(int port, List<String> puts) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 8);
        server.createContext("/", exchange -> {
            try (exchange) {
                byte[] body = exchange.getRequestBody().readAllBytes();
                int status = 404;
                if (exchange.getRequestURI().getPath().equals("/route")) {
                    puts.add(new String(body, StandardCharsets.UTF_8));
                    status = 200;
                } else if (exchange.getRequestURI().getPath().equals("/health")) {
                    healthAsked.add("");
                    status = 200;
                }
                exchange.sendResponseHeaders(status, -1);
            }
        });
        server.start();
        return server;
    }

    @Test
    void aSilentRankThatCannotBeDialledIsForgotten() throws Exception {
        BootstrapServer server = keep(BootstrapServer.start(new BootstrapSettings(
                "127.0.0.1",
                0,
                null,
                Duration.ofSeconds(120),
                Duration.ofMillis(50),
                3,
                new MemoryStore(),
                EngineClock.SYSTEM)));
        BootstrapClient client = client(null);
        try (ServerSocket rank = new ServerSocket(0)) {
            Map<String, Object> body = RoutesTest.registration(1, 0, rank.getLocalPort());
            body.put("rank_ip", "127.0.0.1");
            raw(
                    "PUT",
                    "http://" + address(server) + "/route",
                    JsonMapper.shared().writeValueAsString(body));
            rank.accept().close();
            rank.accept().close();
            assertThat(client.topology(address(server)).tpSize()).isEqualTo(1);
        }
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertFails(ErrorCode.RESOURCE_EXHAUSTED, () -> client.topology(address(server))));
    }

    @Test
    void listensOnIpv6AndSaysWhatCannotBeBound() {
        BootstrapServer six = keep(BootstrapServer.start(BootstrapSettings.of("::1", 0, null)));
        assertThat(client(null).health("[::1]:" + six.port())).isEmpty();
        assertFails(ErrorCode.RESOURCE_EXHAUSTED, () -> server(server(0, null).port(), null));
        assertFails(
                ErrorCode.INVALID_ARGUMENT, () -> BootstrapServer.start(BootstrapSettings.of("192.0.2.1", 0, null)));
    }

    private static HttpResponse<String> raw(String method, String uri, String body) throws Exception {
        return send(HttpRequest.newBuilder(URI.create(uri)).method(method, BodyPublishers.ofString(body)));
    }

    private static HttpResponse<String> proved(String registry, String path, String challenge, String proof)
            throws Exception {
        return send(HttpRequest.newBuilder(URI.create("http://" + registry + path))
                .header("Weft-Challenge", challenge)
                .header("Weft-Proof", proof));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request.timeout(PATIENCE).build(), BodyHandlers.ofString());
        }
    }

    private static void awaitReady(BootstrapClient client, String registry) {
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThatCode(() -> client.topology(registry)).doesNotThrowAnyException());
    }

    private static void assertFails(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        WeftException.class,
                        e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
    }
}
