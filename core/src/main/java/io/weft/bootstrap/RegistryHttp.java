package io.weft.bootstrap;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.kv.wire.NetworkAddress;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One request to a registry and its answer, proved both ways when there is a secret. Safe from any thread; blocks, bounded. */
final class RegistryHttp implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final long MAX_ANSWER = 16L * 1024 * 1024;

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .build();
    private final @Nullable RequestProof proof;

    RegistryHttp(@Nullable String secret) {
        proof = secret == null || secret.isEmpty() ? null : new RequestProof(secret.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Sends a request.
     *
     * @param what for texts: what is tried
     * @return any answer but 401
     * @throws WeftException UNREACHABLE, AUTHENTICATION
     */
    HttpResponse<byte[]> send(String what, String registry, String method, String path, byte[] body) {
        String where = what + " at registry " + registry;
        URI uri = uri(where, registry, path);
        HttpResponse<byte[]> answer = exchange(where, request(uri, method, body).build());
        RequestProof known = proof;
        if (path.equals("/health")) {
            return answer;
        }
        String challenge = answer.headers().firstValue(RequestProof.CHALLENGE).orElse("");
        if (answer.statusCode() == 401 && known == null) {
            throw new WeftException(
                    ErrorCode.AUTHENTICATION,
                    where + ": it has a secret and this process has none; give both the same");
        }
        if (known == null) {
            return answer;
        }
        if (answer.statusCode() != 401 || challenge.isEmpty()) {
            throw new WeftException(
                    ErrorCode.AUTHENTICATION,
                    where + ": it asks for no secret and this process has one; give both the same");
        }
        return proved(where, known, challenge, uri, method, body);
    }

    private HttpResponse<byte[]> proved(
            String where, RequestProof known, String challenge, URI uri, String method, byte[] body) {
        String target = uri.getRawQuery() == null ? uri.getRawPath() : uri.getRawPath() + "?" + uri.getRawQuery();
        String mine = known.of("request", challenge, method, target, new String(body, StandardCharsets.ISO_8859_1));
        HttpResponse<byte[]> answer = exchange(
                where,
                request(uri, method, body)
                        .header(RequestProof.CHALLENGE, challenge)
                        .header(RequestProof.PROOF, mine)
                        .build());
        String theirs = known.of(
                "answer",
                challenge,
                BootstrapServer.answerText(
                        answer.statusCode(),
                        header(answer, Routes.EPOCH),
                        header(answer, Routes.ENGINE_KEY),
                        header(answer, Routes.CAPABILITIES),
                        new String(answer.body(), StandardCharsets.ISO_8859_1)));
        if (!RequestProof.same(header(answer, RequestProof.PROOF), theirs)) {
            throw new WeftException(
                    ErrorCode.AUTHENTICATION,
                    where + ": the secrets of this process and the registry differ; give both the same");
        }
        return answer;
    }

    static String header(HttpResponse<?> answer, String name) {
        return answer.headers().firstValue(name).orElse("");
    }

    private static URI uri(String where, String registry, String path) {
        try {
            return URI.create("http://" + NetworkAddress.parse(registry).hostPort() + path);
        } catch (IllegalArgumentException malformed) {
            throw new WeftException(ErrorCode.INVALID_ARGUMENT, where + ": no host:port", malformed);
        }
    }

    private static HttpRequest.Builder request(URI uri, String method, byte[] body) {
        return HttpRequest.newBuilder(uri)
                .timeout(ANSWER)
                .header("Content-Type", "application/json")
                .method(method, body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
    }

    private HttpResponse<byte[]> exchange(String where, HttpRequest request) {
        try {
            return http.send(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_ANSWER));
        } catch (IOException unreachable) {
            String found = unreachable.getMessage() == null
                    ? unreachable.getClass().getSimpleName()
                    : unreachable.getMessage();
            throw new WeftException(
                    ErrorCode.UNREACHABLE, where + ": " + found + "; check that it runs and is reachable", unreachable);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new WeftException(ErrorCode.CANCELLED, where + ": the calling thread was interrupted", interrupted);
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
