package io.weft.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.api.ErrorCode;
import io.weft.api.TransferEngine;
import io.weft.api.WeftException;
import io.weft.config.ConfigurationSources;
import io.weft.engine.EngineTelemetry;
import io.weft.engine.Weft;
import io.weft.telemetry.Check;
import io.weft.telemetry.RoomView;
import io.weft.testkit.mem.MemProvider;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OpsServerTest {
    private final TransferEngine engine = Weft.builder()
            .configuration(ConfigurationSources.none(Path.of("target")).withApi(Map.of()))
            .name("a")
            .provider(new MemProvider())
            .open();
    private volatile boolean ready = true;
    private final OpsServer server = OpsServer.start(
            "127.0.0.1",
            0,
            "hunter2",
            new OpsSources()
                    .engine(EngineTelemetry.of(engine).orElseThrow())
                    .rooms(most ->
                            List.of(new RoomView("prefill", "7", "Transferring", "3 transfers", 5, 3, "HELD", "")))
                    .readyWhen(() -> new Check("registry", ready, ready ? "there" : "gone"))
                    .page(() -> "<p>a page</p>"));
    private final HttpClient http = HttpClient.newHttpClient();

    @AfterEach
    void close() {
        http.close();
        server.close();
        engine.close();
    }

    private HttpResponse<String> get(String path, String authorization) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .timeout(Duration.ofSeconds(10));
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }
        return http.send(request.build(), BodyHandlers.ofString());
    }

    private static String bearer() {
        return "Bearer " + OpsToken.of("hunter2");
    }

    @Test
    void metricsAreThereForWhoShowsTheToken() throws Exception {
        HttpResponse<String> answer = get("/metrics", bearer());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body())
                .contains("weft_transfers_started_total{engine=\""
                        + engine.descriptor().key());
    }

    @Test
    void aBrowserShowsTheTokenAsPassword() throws Exception {
        String pair =
                Base64.getEncoder().encodeToString(("me:" + OpsToken.of("hunter2")).getBytes(StandardCharsets.UTF_8));
        assertThat(get("/", "Basic " + pair).body()).isEqualTo("<p>a page</p>");
    }

    @Test
    void nothingIsShownWithoutTheTokenAndTheSecretIsNoToken() throws Exception {
        for (String path : List.of("/metrics", "/inspect", "/", "/other")) {
            for (String shown : List.of("", "Bearer hunter2", "Bearer ", "Basic ???", "Basic aHVudGVyMg==")) {
                assertThat(get(path, shown).statusCode())
                        .as("%s %s", path, shown)
                        .isEqualTo(401);
            }
        }
    }

    @Test
    void aliveAndReadyAreApart() throws Exception {
        assertThat(get("/health/live", "").statusCode()).isEqualTo(200);
        assertThat(get("/health/ready", "").statusCode()).isEqualTo(200);
        ready = false;
        assertThat(get("/health/live", "").statusCode()).isEqualTo(200);
        HttpResponse<String> unready = get("/health/ready", "");
        assertThat(unready.statusCode()).isEqualTo(503);
        assertThat(unready.body()).contains("\"name\":\"registry\",\"ok\":false,\"found\":\"gone\"");
        engine.close();
        assertThat(get("/health/live", "").statusCode()).isEqualTo(503);
    }

    @Test
    void thePictureComesOverAsItIs() {
        try (OpsClient client = new OpsClient("hunter2")) {
            OpsView view = client.inspect("127.0.0.1:" + server.port());
            assertThat(view.engine().key()).isEqualTo(engine.descriptor().key());
            assertThat(view.rooms())
                    .singleElement()
                    .extracting(RoomView::waitsFor)
                    .isEqualTo("3 transfers");
            assertThat(InspectText.of(view))
                    .contains("engine " + engine.descriptor().key(), "backends mem")
                    .contains("prefill room 7: Transferring, age 0 ms, waits for 3 transfers, lease HELD");
        }
    }

    @Test
    void aWrongSecretIsNamed() {
        try (OpsClient client = new OpsClient("hunter3")) {
            assertThatThrownBy(() -> client.inspect("127.0.0.1:" + server.port()))
                    .asInstanceOf(InstanceOfAssertFactories.type(WeftException.class))
                    .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.AUTHENTICATION))
                    .satisfies(e -> assertThat(e.getMessage()).contains("WEFT_SECRET"));
        }
    }

    @Test
    void anOpenAddressNeedsASecret() {
        assertThatThrownBy(() -> OpsServer.start("0.0.0.0", 0, "", new OpsSources()))
                .isInstanceOf(WeftException.class)
                .hasMessageContaining("weft.ops.host");
    }

    @Test
    void onlyLooksAreServed() throws Exception {
        HttpRequest post = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/inspect"))
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        assertThat(http.send(post, BodyHandlers.ofString()).statusCode()).isEqualTo(405);
    }
}
