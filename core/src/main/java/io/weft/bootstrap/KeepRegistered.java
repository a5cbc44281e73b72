package io.weft.bootstrap;

import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeException;
import dev.failsafe.RetryPolicy;
import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.kv.RankConfig;
import io.weft.kv.RankDirectory.Coordinates;
import io.weft.kv.RankDirectory.Handle;
import io.weft.kv.RankDirectory.Registration;
import io.weft.kv.layout.ParallelLayout;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Keeps one rank registered. Towards Weft's registry each renewal is a whole registration, so that one that was restarted knows the rank
 * again within a heartbeat. Towards SGLang's, which counts every registration, the rank registers once, and again only after the
 * registry was gone.
 */
final class KeepRegistered implements Handle {
    private static final System.Logger LOG = System.getLogger(KeepRegistered.class.getName());
    private static final Duration FAREWELL = Duration.ofSeconds(2);

    private final RegistryHttp http;
    private final String registry;
    private final Registration registration;
    private final Supplier<String> operations;
    private final Duration heartbeat;
    private final Consumer<KeepRegistered> onClose;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Thread thread;
    private final RetryPolicy<Object> forEver = RetryPolicy.builder()
            .handle(WeftException.class)
            .abortOn(e -> Thread.currentThread().isInterrupted())
            .withMaxRetries(-1)
            .withBackoff(Duration.ofSeconds(1), Duration.ofSeconds(30))
            .withJitter(0.25)
            .onFailedAttempt(e -> {
                if (e.getAttemptCount() == 1 || e.getAttemptCount() % 20 == 0) {
                    LOG.log(
                            System.Logger.Level.WARNING,
                            "WEFT-REGISTER attempt " + e.getAttemptCount() + " of registering failed, more follow: "
                                    + (e.getLastException() == null
                                            ? ""
                                            : e.getLastException().getMessage()));
                }
            })
            .build();
    /** Null until a registry has answered. */
    private volatile @Nullable Boolean weft;

    KeepRegistered(
            RegistryHttp http,
            String registry,
            Registration registration,
            Supplier<String> operations,
            Duration heartbeat,
            Consumer<KeepRegistered> onClose) {
        this.http = http;
        this.registry = registry;
        this.registration = registration;
        this.operations = operations;
        this.heartbeat = heartbeat;
        this.onClose = onClose;
        thread = Thread.ofVirtual().name("weft-registration").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            while (!closed.get()) {
                Failsafe.with(forEver).run(this::register);
                if (Boolean.TRUE.equals(weft)) {
                    Thread.sleep(heartbeat);
                } else {
                    awaitRestart();
                }
            }
        } catch (InterruptedException | FailsafeException | WeftException ended) {
            if (!closed.get()) {
                LOG.log(
                        System.Logger.Level.ERROR,
                        "WEFT-DEFECT keeping a rank registered at " + registry + " ended",
                        ended);
            }
        }
    }

    private void register() {
        HttpResponse<byte[]> answer = put(Routes.WEFT_RANK, body(true));
        weft = answer.statusCode() != 404;
        if (answer.statusCode() == 404) {
            answer = put("/route", body(false));
        }
        if (answer.statusCode() != 200) {
            throw BootstrapClient.refused("register a prefill rank", registry, answer);
        }
    }

    /** An older registry that was not there and is again has forgotten. */
    private void awaitRestart() throws InterruptedException {
        boolean wasGone = false;
        while (true) {
            Thread.sleep(heartbeat);
            boolean there = isThere();
            if (there && wasGone) {
                return;
            }
            wasGone |= !there;
        }
    }

    private boolean isThere() {
        try {
            return http.send("ask for health", registry, "GET", "/health", new byte[0])
                            .statusCode()
                    == 200;
        } catch (WeftException unreachable) {
            if (unreachable.code() == ErrorCode.CANCELLED) {
                throw unreachable;
            }
            return false;
        }
    }

    private HttpResponse<byte[]> put(String path, Map<String, @Nullable Object> body) {
        return http.send(
                "register a prefill rank",
                registry,
                "PUT",
                path,
                JsonMapper.shared().writeValueAsBytes(body));
    }

    private Map<String, @Nullable Object> body(boolean withExtras) {
        RankConfig config = registration.config();
        ParallelLayout layout = config.layout();
        String dtype = config.args().dtype();
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("attn_tp_size", layout.tpSize());
        json.put("attn_tp_rank", layout.tpRank());
        json.put("attn_cp_size", layout.cpSize());
        json.put("attn_cp_rank", layout.cpRank());
        json.put("attn_dp_size", layout.dpSize());
        json.put("attn_dp_rank", layout.dpRank());
        json.put("pp_size", layout.ppSize());
        json.put("pp_rank", layout.ppRank());
        json.put("system_dp_size", layout.systemDpSize());
        json.put("system_dp_rank", layout.systemDpRank());
        json.put("rank_ip", registration.address().host());
        json.put("rank_port", registration.address().port());
        json.put(
                "page_size",
                config.args().pageSize() > 0 ? (Integer) config.args().pageSize() : null);
        json.put("kv_cache_dtype", dtype.isEmpty() ? null : dtype);
        json.put("load_balance_method", config.loadBalance());
        json.put("enable_dsa_cache_layer_split", config.args().isLayerSplit());
        json.put("prefill_http_port", config.httpPort());
        if (withExtras) {
            json.put("epoch", epoch());
            json.put("engine_key", registration.engineKey().isEmpty() ? null : registration.engineKey());
            String address = operations.get();
            json.put("operations", address.isEmpty() ? null : address);
            json.put("heartbeat_seconds", Math.max(1, heartbeat.toSeconds()));
        }
        return json;
    }

    private String epoch() {
        return HexFormat.of().toHexDigits(registration.epoch());
    }

    /** Stops renewing, and takes the rank off a Weft registry if that is there. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        thread.interrupt();
        onClose.accept(this);
        if (Boolean.TRUE.equals(weft)) {
            Thread farewell = Thread.ofVirtual().start(this::deregister);
            try {
                farewell.join(FAREWELL);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void deregister() {
        Coordinates c = registration.coordinates();
        String body = "{\"dp\":" + c.dp() + ",\"cp\":" + c.cp() + ",\"tp\":" + c.tp() + ",\"pp\":" + c.pp()
                + ",\"epoch\":\"" + epoch() + "\"}";
        try {
            http.send("deregister a prefill rank", registry, "DELETE", Routes.WEFT_RANK, BootstrapClient.utf8(body));
        } catch (WeftException gone) {
            LOG.log(System.Logger.Level.DEBUG, "the registry expires it by itself", gone);
        }
    }
}
