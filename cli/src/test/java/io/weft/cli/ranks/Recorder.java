package io.weft.cli.ranks;

import io.weft.kv.internal.endpoint.ControlEndpoint;
import io.weft.kv.internal.endpoint.EndpointEvents;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Stands between decode and prefill ranks and keeps every message. Decode ranks find it in a registry of its own; in what they
 * send it puts its own port, one per pair of ranks, so that the answers come by as well. Nothing else is changed on the way, and nothing
 * is lost that it was not told to {@link #lose}.
 */
final class Recorder implements AutoCloseable {
    private static final Duration GRACE = Duration.ofSeconds(10);

    /** One direction between a pair of ranks: {@code prefill} and {@code decode} are named as in the recorded scenarios. */
    record Way(String prefill, String decode, boolean toPrefill) {}

    private final Map<Way, List<List<byte[]>>> kept = new LinkedHashMap<>();
    private final List<ControlEndpoint> open = new ArrayList<>();
    private final ZContext context = new ZContext();
    private final HttpClient http = HttpClient.newHttpClient();
    private volatile String lost = "";

    /** Puts itself before a prefill rank: looks it up in one registry and registers in the other in its place. */
    void stand(String from, String to, Map<String, Integer> place) throws IOException, InterruptedException {
        stand(to, place, lookUp(from, place), Map.of());
    }

    /** As {@link #stand}, but decode ranks know from the registry that a Weft rank is there, and which engine it has. */
    void standAsWeft(String from, String to, Map<String, Integer> place) throws IOException, InterruptedException {
        HttpResponse<String> found = lookUp(from, place);
        stand(
                to,
                place,
                found,
                Map.of(
                        "epoch",
                        found.headers().firstValue("Weft-Epoch").orElseThrow(),
                        "engine_key",
                        found.headers().firstValue("Weft-Engine-Key").orElseThrow()));
    }

    /** From now on messages to prefill ranks that begin so are taken and not passed on. */
    void lose(String frame) {
        lost = frame;
    }

    private void stand(String to, Map<String, Integer> place, HttpResponse<String> answered, Map<String, String> extras)
            throws IOException, InterruptedException {
        JsonNode found = JsonMapper.shared().readTree(answered.body());
        NetworkAddress rank = new NetworkAddress(
                found.get("rank_ip").asString(), found.get("rank_port").intValue());
        ControlEndpoint self = endpoint(new Forwards(name(place), rank));
        Map<String, Object> body = new LinkedHashMap<>(extras);
        for (String axis : List.of("tp", "cp")) {
            body.put("attn_" + axis + "_size", place.get(axis));
            body.put("attn_" + axis + "_rank", place.get(axis + "Rank"));
        }
        body.put("attn_dp_size", 1);
        body.put("attn_dp_rank", 0);
        body.put("pp_size", place.get("pp"));
        body.put("pp_rank", place.get("ppRank"));
        body.put("system_dp_size", 1);
        body.put("system_dp_rank", 0);
        body.put("rank_ip", self.address().host());
        body.put("rank_port", self.address().port());
        body.put("page_size", 4);
        body.put("kv_cache_dtype", "auto");
        HttpRequest put = HttpRequest.newBuilder(
                        URI.create("http://" + to + (extras.isEmpty() ? "/route" : "/weft/v1/rank")))
                .PUT(BodyPublishers.ofString(JsonMapper.shared().writeValueAsString(body)))
                .build();
        HttpResponse<String> answer = http.send(put, BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException("PUT /route: " + answer.statusCode() + " " + answer.body());
        }
    }

    /** Everything so far, in order per pair and direction. */
    Map<Way, List<List<byte[]>>> messages() {
        synchronized (kept) {
            Map<Way, List<List<byte[]>>> copy = new LinkedHashMap<>();
            kept.forEach((way, messages) -> copy.put(way, List.copyOf(messages)));
            return copy;
        }
    }

    @Override
    public void close() {
        synchronized (open) {
            open.forEach(ControlEndpoint::close);
        }
        context.close();
    }

    static String name(Map<String, Integer> place) {
        return "tp%dpp%dcp%ddp0".formatted(place.get("tpRank"), place.get("ppRank"), place.get("cpRank"));
    }

    private HttpResponse<String> lookUp(String registry, Map<String, Integer> place)
            throws IOException, InterruptedException {
        URI uri = URI.create("http://" + registry + "/route?prefill_dp_rank=0&prefill_cp_rank=" + place.get("cpRank")
                + "&target_tp_rank=" + place.get("tpRank") + "&target_pp_rank=" + place.get("ppRank"));
        long deadline = System.nanoTime() + JsonProcess.PATIENCE.toNanos();
        while (System.nanoTime() - deadline < 0) {
            HttpResponse<String> answer = http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
            if (answer.statusCode() == 200) {
                return answer;
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        throw new IOException("no prefill rank at " + uri);
    }

    private ControlEndpoint endpoint(EndpointEvents events) {
        ControlEndpoint endpoint = new ControlEndpoint("recorder", "127.0.0.1", GRACE, System::nanoTime, events);
        synchronized (open) {
            open.add(endpoint);
        }
        endpoint.start();
        return endpoint;
    }

    private void keep(Way way, List<byte[]> frames) {
        synchronized (kept) {
            kept.computeIfAbsent(way, any -> new ArrayList<>()).add(frames);
        }
    }

    /** A socket to one rank, used by the one thread that hears what is passed on. */
    private ZMQ.Socket connected(NetworkAddress to) {
        ZMQ.Socket socket = context.createSocket(SocketType.PUSH);
        socket.setHandshakeIvl(300);
        socket.connect(to.tcp());
        return socket;
    }

    private static void pass(ZMQ.Socket socket, List<byte[]> frames) {
        for (int i = 0; i < frames.size(); i++) {
            socket.send(frames.get(i), i < frames.size() - 1 ? ZMQ.SNDMORE : 0);
        }
    }

    private static String text(byte[] frame) {
        return new String(frame, StandardCharsets.US_ASCII);
    }

    /** From decode ranks to one prefill rank. Host and port are the frames 2 and 3 of all they send. */
    private final class Forwards implements EndpointEvents {
        private final String prefill;
        private final ZMQ.Socket socket;
        private final Map<NetworkAddress, Way> ways = new HashMap<>();
        private final Map<NetworkAddress, ControlEndpoint> answers = new HashMap<>();

        Forwards(String prefill, NetworkAddress rank) {
            this.prefill = prefill;
            this.socket = connected(rank);
        }

        @Override
        public void onMessage(List<byte[]> frames) {
            NetworkAddress sender = new NetworkAddress(text(frames.get(2)), Integer.parseInt(text(frames.get(3))));
            if (text(frames.get(1)).equals("None")) {
                String decode = "tp" + text(frames.get(10)) + "pp0cp0dp0";
                ways.put(sender, new Way(prefill, decode, true));
                answers.computeIfAbsent(
                        sender, any -> endpoint(new Backwards(new Way(prefill, decode, false), connected(sender))));
            }
            Way way = ways.get(sender);
            ControlEndpoint answer = answers.get(sender);
            if (way == null || answer == null) {
                throw new IllegalStateException("message of a decode rank that did not register");
            }
            keep(way, frames);
            if (text(frames.getFirst()).equals(lost)) {
                return;
            }
            List<byte[]> changed = new ArrayList<>(frames);
            changed.set(3, Integer.toString(answer.address().port()).getBytes(StandardCharsets.US_ASCII));
            pass(socket, changed);
        }

        @Override
        public void onUnreachable(NetworkAddress address, String why) {
            // Never sends over its endpoint.
        }
    }

    /** From one prefill rank to one decode rank. */
    private final class Backwards implements EndpointEvents {
        private final Way way;
        private final ZMQ.Socket socket;

        Backwards(Way way, ZMQ.Socket socket) {
            this.way = way;
            this.socket = socket;
        }

        @Override
        public void onMessage(List<byte[]> frames) {
            keep(way, frames);
            pass(socket, frames);
        }

        @Override
        public void onUnreachable(NetworkAddress address, String why) {
            // Never sends over its endpoint.
        }
    }
}
