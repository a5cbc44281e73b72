package io.weft.ops;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.engine.EngineTelemetry;
import io.weft.kv.wire.NetworkAddress;
import io.weft.telemetry.Check;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Serves metrics, health and pictures over HTTP, read-only.
 *
 * <p>{@code /metrics} for Prometheus, {@code /inspect} for {@code weft inspect}, {@code /health/live} and {@code /health/ready} for an
 * orchestrator, and a page at {@code /} if there is one. With a secret all but health needs the {@link OpsToken}. Safe from any thread;
 * each request runs on a virtual thread, and only few at a time.
 *
 * @since 0.1
 */
public final class OpsServer implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(OpsServer.class.getName());
    private static final int MAX_REQUESTS = 8;
    private static final int MOST_PEERS = 200;
    private static final int MOST_TRANSFERS = 20;
    private static final int MOST_ROOMS = 500;
    private static final String HERE = "127.0.0.1";
    private static final String JSON = "application/json";
    private static final String TEXT = "text/plain; charset=utf-8";

    private final HttpServer server;
    private final OpsSources sources;
    private final String token;
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final WeftMeters meters;
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore requests = new Semaphore(MAX_REQUESTS);
    private final AtomicBoolean closed = new AtomicBoolean();

    private record Answer(int status, String type, String body) {}

    private OpsServer(HttpServer server, OpsSources sources, String secret) {
        this.server = server;
        this.sources = sources;
        this.token = secret.isEmpty() ? "" : OpsToken.of(secret);
        this.meters = new WeftMeters(sources::read);
    }

    /**
     * Binds and serves.
     *
     * @param host address to listen on
     * @param port TCP port, 0 for any
     * @param secret {@code weft.secret}, empty for none
     * @param sources what to show
     * @return the running server
     * @throws WeftException INVALID_ARGUMENT or RESOURCE_EXHAUSTED if the address cannot be bound, PERMISSION if it is not loopback and
     *     there is no secret
     */
    public static OpsServer start(String host, int port, String secret, OpsSources sources) {
        try {
            InetAddress address = InetAddress.getByName(host);
            if (!address.isLoopbackAddress() && secret.isEmpty()) {
                throw new WeftException(
                        ErrorCode.PERMISSION,
                        "serve operations on " + host
                                + ": anybody who reaches it could look; set WEFT_SECRET, or listen on"
                                + " 127.0.0.1 (weft.ops.host)");
            }
            OpsServer ops = new OpsServer(HttpServer.create(new InetSocketAddress(address, port), 32), sources, secret);
            ops.meters.bindTo(ops.registry);
            ops.server.setExecutor(ops.executor);
            ops.server.createContext("/", ops::serve);
            ops.server.start();
            System.setProperty(OpsClient.ADDRESS_PROPERTY, ops.address(HERE));
            return ops;
        } catch (IOException refused) {
            boolean taken = String.valueOf(refused.getMessage()).contains("in use");
            throw new WeftException(
                    taken ? ErrorCode.RESOURCE_EXHAUSTED : ErrorCode.INVALID_ARGUMENT,
                    "serve operations on " + host + " port " + port + ": " + refused.getMessage()
                            + "; choose an address of this machine and a free port, or port 0 (weft.ops.host, weft.ops.port)",
                    refused);
        }
    }

    /**
     * Where it listens.
     *
     * @return the TCP port
     */
    public int port() {
        return server.getAddress().getPort();
    }

    /**
     * Where to ask it.
     *
     * @param anywhere the address to name if it listens on all of them
     * @return {@code host:port}
     */
    public String address(String anywhere) {
        InetAddress host = server.getAddress().getAddress();
        return new NetworkAddress(host.isAnyLocalAddress() ? anywhere : host.getHostAddress(), port()).hostPort();
    }

    /** Takes no more requests and frees the port. Idempotent. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            if (address(HERE).equals(System.getProperty(OpsClient.ADDRESS_PROPERTY))) {
                System.clearProperty(OpsClient.ADDRESS_PROPERTY);
            }
            server.stop(0);
            executor.shutdownNow();
            registry.close();
        }
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            send(exchange, answer(exchange));
        } catch (RuntimeException defect) {
            LOG.log(System.Logger.Level.ERROR, "WEFT-DEFECT a request to the operations endpoint failed", defect);
            throw defect;
        }
    }

    private Answer answer(HttpExchange exchange) {
        if (!exchange.getRequestMethod().equals("GET")) {
            return new Answer(405, TEXT, "this endpoint only shows things: use GET\n");
        }
        String path = exchange.getRequestURI().getPath();
        String authorization = exchange.getRequestHeaders().getFirst("Authorization");
        if (!token.isEmpty()
                && !path.startsWith("/health/")
                && !OpsToken.isIn(authorization == null ? "" : authorization, token)) {
            exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"weft\"");
            return new Answer(
                    401,
                    TEXT,
                    "this process has a secret: show the token that `weft inspect --token` prints with it\n");
        }
        if (!requests.tryAcquire()) {
            return new Answer(503, TEXT, "too many requests at a time; try again\n");
        }
        try {
            return route(path);
        } finally {
            requests.release();
        }
    }

    private Answer route(String path) {
        return switch (path) {
            case "/metrics" -> {
                meters.refresh();
                yield new Answer(200, "text/plain; version=0.0.4; charset=utf-8", registry.scrape());
            }
            case "/inspect" -> inspect();
            case "/health/live" -> health(sources.alive());
            case "/health/ready" -> {
                List<Check> all = new ArrayList<>(sources.alive());
                all.addAll(sources.ready());
                yield health(all);
            }
            case "/" -> page(sources.page());
            default ->
                new Answer(
                        404, TEXT, "there are /metrics, /inspect, /health/live and /health/ready; not " + path + "\n");
        };
    }

    private Answer inspect() {
        EngineTelemetry engine = sources.engine();
        if (engine == null) {
            return new Answer(404, TEXT, "this process has no engine\n");
        }
        OpsView view = new OpsView(
                ProcessHandle.current().pid(), engine.look(MOST_PEERS, MOST_TRANSFERS), sources.rooms(MOST_ROOMS));
        return new Answer(200, JSON, JsonMapper.shared().writeValueAsString(view));
    }

    private static Answer health(List<Check> checks) {
        boolean ok = checks.stream().allMatch(Check::ok);
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("ok", ok);
        body.put("checks", checks);
        return new Answer(ok ? 200 : 503, JSON, JsonMapper.shared().writeValueAsString(body));
    }

    private static Answer page(@Nullable Supplier<String> page) {
        return page == null
                ? new Answer(200, TEXT, "there are /metrics, /inspect, /health/live and /health/ready\n")
                : new Answer(200, "text/html; charset=utf-8", page.get());
    }

    private static void send(HttpExchange exchange, Answer answer) throws IOException {
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", answer.type());
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.getResponseHeaders().set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'");
        exchange.sendResponseHeaders(answer.status(), body.length);
        exchange.getResponseBody().write(body);
    }
}
