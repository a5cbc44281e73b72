package io.weft.ops;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Asks an operations endpoint. Safe from any thread; blocks, bounded.
 *
 * @since 0.1
 */
public final class OpsClient implements AutoCloseable {
    /** Where a process tells, to whom may attach to it, on which address it serves operations. */
    static final String ADDRESS_PROPERTY = "io.weft.ops.address";

    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final long MAX_ANSWER = 64L << 20;

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .build();
    private final String secret;

    /**
     * Makes a client.
     *
     * @param secret {@code weft.secret}, empty for none
     */
    public OpsClient(String secret) {
        this.secret = secret;
    }

    /**
     * The picture of a process.
     *
     * @param address where its endpoint listens, {@code host:port}
     * @return the picture
     * @throws WeftException UNREACHABLE, AUTHENTICATION, UNSUPPORTED or PROTOCOL
     */
    public OpsView inspect(String address) {
        String what = "inspect " + address;
        String body = get(what, address, "/inspect");
        try {
            return JsonMapper.shared().readValue(body, OpsView.class);
        } catch (JacksonException other) {
            throw new WeftException(
                    ErrorCode.PROTOCOL,
                    what
                            + ": its answer is not a picture of an engine; is this the port of weft.ops.port, and of the same"
                            + " version?",
                    other);
        }
    }

    /**
     * Finds the endpoint of a process of this host and this user, by the means with which {@code jcmd} finds it. Blocks for some seconds
     * if the process is stopped.
     *
     * @param pid the process
     * @return the address to ask, {@code host:port}
     * @throws WeftException UNREACHABLE if there is no such Java process or it may not be looked into, UNSUPPORTED if it serves no
     *     operations
     */
    public static String addressOf(long pid) {
        String what = "inspect process " + pid;
        try {
            VirtualMachine process = VirtualMachine.attach(Long.toString(pid));
            try {
                String address = process.getSystemProperties().getProperty(ADDRESS_PROPERTY);
                if (address == null) {
                    throw new WeftException(
                            ErrorCode.UNSUPPORTED,
                            what
                                    + ": it serves no operations; start it with weft.ops.port (WEFT_OPS_PORT=0 lets the system"
                                    + " choose the port)");
                }
                return address;
            } finally {
                process.detach();
            }
        } catch (AttachNotSupportedException | IOException refused) {
            throw new WeftException(
                    ErrorCode.UNREACHABLE,
                    what + ": "
                            + String.valueOf(refused.getMessage())
                                    .replaceAll("cmd: '.*' ", "") // the whole command line
                            + "; it must be a running Java process of this user on this host, and not be stopped (ps -o stat -p "
                            + pid + "); give HOST:PORT otherwise",
                    refused);
        }
    }

    private String get(String what, String address, String path) {
        HttpResponse<String> answer = exchange(what, request(what, address, path));
        return switch (answer.statusCode()) {
            case 200 -> answer.body();
            case 401 ->
                throw new WeftException(
                        ErrorCode.AUTHENTICATION,
                        what + ": it has a secret and "
                                + (secret.isEmpty() ? "this process has none" : "that of this process is another")
                                + "; give both the same (WEFT_SECRET or weft.secret-file)");
            case 404 ->
                throw new WeftException(
                        ErrorCode.UNSUPPORTED,
                        what + ": " + answer.body().strip()
                                + "; give the port that the rank tells as opsPort when it is ready");
            default ->
                throw new WeftException(
                        ErrorCode.PROTOCOL,
                        what + ": it answered " + answer.statusCode() + " "
                                + answer.body().strip());
        };
    }

    private HttpRequest request(String what, String address, String path) {
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + address + path))
                    .timeout(ANSWER);
            if (!secret.isEmpty()) {
                request.header("Authorization", "Bearer " + OpsToken.of(secret));
            }
            return request.build();
        } catch (IllegalArgumentException malformed) {
            throw new WeftException(ErrorCode.INVALID_ARGUMENT, what + ": no HOST:PORT", malformed);
        }
    }

    private HttpResponse<String> exchange(String what, HttpRequest request) {
        try {
            return http.send(request, BodyHandlers.limiting(BodyHandlers.ofString(), MAX_ANSWER));
        } catch (IOException unreachable) {
            throw new WeftException(
                    ErrorCode.UNREACHABLE,
                    what + ": "
                            + (unreachable.getMessage() == null
                                    ? "nobody accepts a connection there"
                                    : unreachable.getMessage())
                            + "; check that the process runs, was started with weft.ops.port, and listens there",
                    unreachable);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new WeftException(ErrorCode.CANCELLED, what + ": interrupted", interrupted);
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
