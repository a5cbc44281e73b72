package io.weft.bootstrap;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.telemetry.Check;
import io.weft.telemetry.Metric;
import io.weft.telemetry.MetricSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The registry as an HTTP server: SGLang's routes, so that its ranks can register and look up, and Weft's own beside them.
 *
 * <p>Safe from any thread. Each request runs on a virtual thread.
 *
 * @since 0.1
 */
public final class BootstrapServer implements AutoCloseable {
    /** In every answer: another value means that the registry was restarted and has forgotten. */
    static final String REGISTRY = "Weft-Registry";

    private static final System.Logger LOG = System.getLogger(BootstrapServer.class.getName());
    private static final int MAX_REQUESTS = 512;
    private static final int MAX_DIALS = 32;
    private static final int DIAL_MILLIS = 2_000;

    private final BootstrapSettings settings;
    private final Registry registry;
    private final Routes routes;
    private final Challenges challenges;
    private final @Nullable RequestProof proof;
    private final HttpServer server;
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            work -> Thread.ofPlatform().daemon().name("weft-bootstrap-checks").unstarted(work));
    private final Semaphore requests = new Semaphore(MAX_REQUESTS);
    private final Semaphore dials = new Semaphore(MAX_DIALS);
    private final AtomicBoolean closed = new AtomicBoolean();
    private final String instance;
    /** By the first digit of the status. */
    private final LongAdder[] answered = new LongAdder[6];

    private volatile @Nullable Future<?> checking;

    private BootstrapServer(BootstrapSettings settings, HttpServer server) {
        this.settings = settings;
        this.server = server;
        registry = new Registry(
                settings.store(), settings.clock(), settings.roomLifetime().toNanos(), settings.checkFailures());
        routes = new Routes(registry, settings.clock());
        challenges = new Challenges(settings.clock());
        String secret = settings.secret();
        proof = secret == null || secret.isEmpty() ? null : new RequestProof(secret.getBytes(StandardCharsets.UTF_8));
        byte[] random = new byte[8];
        new SecureRandom().nextBytes(random);
        instance = HexFormat.of().formatHex(random);
        Arrays.setAll(answered, digit -> new LongAdder());
    }

    /**
     * Binds and serves.
     *
     * @param settings settings
     * @return the running server
     * @throws WeftException INVALID_ARGUMENT or RESOURCE_EXHAUSTED if the address cannot be bound
     */
    public static BootstrapServer start(BootstrapSettings settings) {
        try {
            InetAddress host = InetAddress.getByName(settings.host());
            BootstrapServer server =
                    new BootstrapServer(settings, HttpServer.create(new InetSocketAddress(host, settings.port()), 256));
            server.run();
            return server;
        } catch (IOException refused) {
            boolean taken = String.valueOf(refused.getMessage()).contains("in use");
            throw new WeftException(
                    taken ? ErrorCode.RESOURCE_EXHAUSTED : ErrorCode.INVALID_ARGUMENT,
                    "listen as bootstrap registry on " + settings.host() + " port " + settings.port() + ": "
                            + refused.getMessage() + "; choose an address of this machine and a free port, or port 0",
                    refused);
        }
    }

    private void run() {
        server.setExecutor(executor);
        server.createContext("/", this::serve);
        server.start();
        long interval = settings.checkInterval().toNanos();
        checking = timer.scheduleWithFixedDelay(this::checkSilentRanks, interval, interval, TimeUnit.NANOSECONDS);
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
     * Where it listens.
     *
     * @return the bound address, numeric
     */
    public String host() {
        return server.getAddress().getAddress().getHostAddress();
    }

    /**
     * What it counts.
     *
     * @return a source to read whenever somebody looks; never blocks for long
     */
    public MetricSource metrics() {
        return reader -> {
            reader.value(Metric.REGISTRY_RANKS, registry.registered());
            reader.value(
                    Metric.REGISTRY_RANKS_NEEDED,
                    registry.topology().map(Topology::ranks).orElse(0L));
            for (int digit = 2; digit < answered.length; digit++) {
                reader.value(Metric.REGISTRY_REQUESTS, answered[digit].sum(), digit + "xx");
            }
        };
    }

    /**
     * What is registered now.
     *
     * @return a picture
     */
    public RegistryView view() {
        long now = settings.clock().nanos();
        return new RegistryView(
                instance,
                registry.isReady(),
                registry.registered(),
                registry.topology(),
                registry.ranks().stream()
                        .sorted(Comparator.comparing(
                                RankEntry::key,
                                Comparator.comparingInt(RankEntry.Key::dp)
                                        .thenComparingInt(RankEntry.Key::cp)
                                        .thenComparingInt(RankEntry.Key::tp)
                                        .thenComparingInt(RankEntry.Key::pp)))
                        .map(rank -> new RegistryView.Rank(rank, now - rank.heardNanos()))
                        .toList(),
                registry.roomCount(),
                registry.losses());
    }

    /**
     * Whether it still answers and still looks after silent ranks. Takes at most about four seconds.
     *
     * @return what was looked at
     */
    public List<Check> alive() {
        return RegistryAlive.look(server.getAddress(), checking);
    }

    /** Takes no more requests, lets running ones end for at most a second, and frees the port. Idempotent. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            timer.shutdownNow();
            server.stop(1);
            executor.shutdownNow();
        }
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!requests.tryAcquire()) {
                send(exchange, Answer.text(503, "too many requests at a time; try again"));
                return;
            }
            try {
                send(exchange, answer(exchange));
            } finally {
                requests.release();
            }
        } catch (RuntimeException defect) {
            LOG.log(System.Logger.Level.ERROR, "WEFT-DEFECT a request to the bootstrap registry failed", defect);
            throw defect;
        }
    }

    private Answer answer(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(Routes.MAX_BODY + 1);
        if (body.length > Routes.MAX_BODY) {
            return Answer.text(413, "the body has more than " + Routes.MAX_BODY + " bytes");
        }
        String method = exchange.getRequestMethod();
        String path = exchange.getRequestURI().getPath();
        String query = exchange.getRequestURI().getRawQuery();
        // Whether it lives is no secret: load balancers ask without one.
        RequestProof known = path.equals("/health") ? null : proof;
        if (known == null) {
            return routes.answer(method, path, query == null ? "" : query, body);
        }
        String challenge = header(exchange, RequestProof.CHALLENGE);
        String expected = known.of(
                "request",
                challenge,
                method,
                exchange.getRequestURI().toString(),
                new String(body, StandardCharsets.ISO_8859_1));
        if (!RequestProof.same(header(exchange, RequestProof.PROOF), expected) || !challenges.use(challenge)) {
            return Answer.text(401, "this registry has a secret")
                    .with("WWW-Authenticate", "Weft")
                    .with(RequestProof.CHALLENGE, challenges.issue());
        }
        Answer answer = routes.answer(method, path, query == null ? "" : query, body);
        return answer.with(RequestProof.PROOF, known.of("answer", challenge, answerText(answer)));
    }

    /** What an answer's proof covers: status, what Weft says in headers, body. */
    private static String answerText(Answer a) {
        return answerText(
                a.status(),
                a.headers().getOrDefault(Routes.EPOCH, ""),
                a.headers().getOrDefault(Routes.ENGINE_KEY, ""),
                a.headers().getOrDefault(Routes.CAPABILITIES, ""),
                new String(a.body(), StandardCharsets.ISO_8859_1));
    }

    static String answerText(int status, String epoch, String engineKey, String capabilities, String body) {
        return String.join("\n", Integer.toString(status), epoch, engineKey, capabilities, body);
    }

    private static String header(HttpExchange exchange, String name) {
        String value = exchange.getRequestHeaders().getFirst(name);
        return value == null ? "" : value;
    }

    private void send(HttpExchange exchange, Answer answer) throws IOException {
        answered[answer.status() / 100].increment();
        exchange.getResponseHeaders().set("Content-Type", answer.type());
        exchange.getResponseHeaders().set(REGISTRY, instance);
        answer.headers().forEach(exchange.getResponseHeaders()::set);
        boolean head = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(answer.status(), head ? -1 : answer.body().length);
        if (!head) {
            exchange.getResponseBody().write(answer.body());
        }
    }

    /** A rank that announced no heartbeat is asked by dialling its control port. */
    private void checkSilentRanks() {
        try {
            List<Future<?>> running = registry.ranks().stream()
                    .filter(entry -> entry.leaseNanos() == 0)
                    .<Future<?>>map(entry -> executor.submit(() -> registry.checked(entry, isReachable(entry))))
                    .toList();
            for (Future<?> check : running) {
                check.get(1, TimeUnit.MINUTES);
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        } catch (Exception failed) {
            // The timer would end for good; the next round may fare better.
            LOG.log(System.Logger.Level.WARNING, "WEFT-DEFECT checking registered ranks failed", failed);
        }
    }

    private boolean isReachable(RankEntry entry) {
        dials.acquireUninterruptibly();
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(entry.ip(), entry.port()), DIAL_MILLIS);
            return true;
        } catch (IOException refused) {
            return false;
        } finally {
            dials.release();
        }
    }
}
