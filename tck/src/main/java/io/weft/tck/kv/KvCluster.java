package io.weft.tck.kv;

import io.weft.bootstrap.BootstrapClient;
import io.weft.bootstrap.BootstrapServer;
import io.weft.bootstrap.BootstrapSettings;
import io.weft.kv.KvPoll;
import io.weft.kv.KvReceiver;
import io.weft.kv.KvSender;
import io.weft.kv.RankDirectory;
import io.weft.kv.layout.ParallelLayout;
import io.weft.tck.harness.EngineTarget;
import io.weft.tck.harness.Expect;
import io.weft.tck.harness.KvRooms;
import io.weft.tck.harness.Rig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A registry, prefill and decode ranks in this process, each with an engine over the backend under test. Closed by its rig. */
public final class KvCluster implements AutoCloseable {
    private final Rig rig;
    private final Map<String, String> options = new LinkedHashMap<>();
    private final BootstrapClient client = new BootstrapClient(null, Duration.ofMillis(200));
    private RankDirectory directory;
    private final List<KvRank> prefill = new ArrayList<>();
    private final List<KvRank> decode = new ArrayList<>();
    private BootstrapServer registry = registry(0);

    /**
     * Starts a registry without ranks.
     *
     * @param rig closes it
     * @param options whole keys and values for all ranks, in turn
     */
    public KvCluster(Rig rig, String... options) {
        this.rig = rig;
        directory = rig.run().subject().directory(client);
        rig.closeFirst(this);
        for (int i = 0; i < options.length; i += 2) {
            this.options.put(options[i], options[i + 1]);
        }
    }

    /**
     * One prefill and one decode rank of the small model.
     *
     * @param rig closes them
     * @param options whole keys and values, in turn
     * @return the ranks
     */
    public static KvCluster pair(Rig rig, String... options) {
        KvCluster pair = new KvCluster(rig, options);
        pair.addPrefill(KvModel.SMALL, ParallelLayout.SINGLE);
        pair.addDecode(KvModel.SMALL, ParallelLayout.SINGLE);
        return pair;
    }

    /**
     * The ranks of an instance.
     *
     * @param tp tensor-parallel size
     * @param pp pipeline stages
     * @param cp context-parallel size
     * @return each rank's place
     */
    public static List<ParallelLayout> ranks(int tp, int pp, int cp) {
        List<ParallelLayout> ranks = new ArrayList<>();
        for (int t = 0; t < tp; t++) {
            for (int p = 0; p < pp; p++) {
                for (int c = 0; c < cp; c++) {
                    ranks.add(new ParallelLayout(tp, t, cp, c, 1, 0, pp, p, 1, 0));
                }
            }
        }
        return ranks;
    }

    /**
     * Opens one more prefill rank.
     *
     * @param model what it holds
     * @param layout its place
     * @return the rank
     */
    public KvRank addPrefill(KvModel model, ParallelLayout layout) {
        return addPrefill(model, layout, rig.sides().openHere(rig.setup().spec(nextName("prefill-"))));
    }

    /**
     * Opens one more prefill rank over an engine that is there.
     *
     * @param model what it holds
     * @param layout its place
     * @param side its engine, closed by the rig
     * @return the rank
     */
    public KvRank addPrefill(KvModel model, ParallelLayout layout, EngineTarget side) {
        KvRank rank = new KvRank(true, side, model, layout, surroundings());
        prefill.add(rank);
        return rank;
    }

    /**
     * Opens one more decode rank.
     *
     * @param model what it holds
     * @param layout its place
     * @return the rank
     */
    public KvRank addDecode(KvModel model, ParallelLayout layout) {
        KvRank rank = new KvRank(
                false, rig.sides().openHere(rig.setup().spec(nextName("decode-"))), model, layout, surroundings());
        decode.add(rank);
        return rank;
    }

    /**
     * Lets ranks that are opened from now on find prefill ranks elsewhere than these registered.
     *
     * @param detour where a rank is found, from where it is
     */
    public void detour(UnaryOperator<RankDirectory.RankAddress> detour) {
        directory = new Detour(directory, detour);
    }

    /**
     * The prefill ranks.
     *
     * @return in the order they were opened
     */
    public List<KvRank> prefill() {
        return prefill;
    }

    /**
     * The decode ranks.
     *
     * @return in the order they were opened
     */
    public List<KvRank> decode() {
        return decode;
    }

    /**
     * The last prefill rank that was opened.
     *
     * @return the rank
     */
    public KvRank p() {
        return prefill.getLast();
    }

    /**
     * The last decode rank that was opened.
     *
     * @return the rank
     */
    public KvRank d() {
        return decode.getLast();
    }

    /** Ends the registry and starts another under the same address, which knows nobody. */
    public void restartRegistry() {
        int port = registry.port();
        registry.close();
        registry = registry(port);
    }

    /**
     * A rank's rooms as rules see them.
     *
     * @param rank the rank
     * @return its rooms, spoiled by the run's mutant
     */
    public KvRooms rooms(KvRank rank) {
        return rig.run().subject().rooms(rank);
    }

    /**
     * Lets a decode rank wait for a room.
     *
     * @param rank the rank
     * @param room the room
     * @return its receiver
     */
    public KvReceiver receive(KvRank rank, Room room) {
        KvReceiver receiver = rooms(rank).receiver(room.id());
        receiver.init(KvReceiver.ANY_DP_RANK);
        announce(receiver, room);
        return receiver;
    }

    /**
     * Says where a room's bytes go.
     *
     * @param receiver the room's receiver
     * @param room the room
     */
    public static void announce(KvReceiver receiver, Room room) {
        @Nullable List<int @Nullable []> state = room.window() ? List.<int @Nullable []>of(room.pages()) : null;
        receiver.sendMetadata(room.pages(), room.row(), state, room.prefixTokens());
    }

    /**
     * Lets a prefill rank serve a room, without sending anything yet.
     *
     * @param rank the rank
     * @param room the room
     * @return its sender
     */
    public KvSender serve(KvRank rank, Room room) {
        KvSender sender = rooms(rank).sender(room.id());
        sender.init(room.source().length, room.sourceRow());
        return sender;
    }

    /**
     * Lets a prefill rank send a room.
     *
     * @param rank the rank
     * @param room the room, without state
     * @return its sender
     */
    public KvSender send(KvRank rank, Room room) {
        KvSender sender = serve(rank, room);
        sender.send(room.source());
        return sender;
    }

    /**
     * Waits until a sender has a status.
     *
     * @param sender the sender
     * @param status the status
     */
    public void await(KvSender sender, KvPoll status) {
        await("the sender of room " + Long.toUnsignedString(sender.room()), sender::poll, status, sender::failure);
    }

    /**
     * Waits until a receiver has a status.
     *
     * @param receiver the receiver
     * @param status the status
     */
    public void await(KvReceiver receiver, KvPoll status) {
        await(
                "the receiver of room " + Long.toUnsignedString(receiver.room()),
                receiver::poll,
                status,
                receiver::failure);
    }

    private void await(
            String who, Supplier<KvPoll> poll, KvPoll wanted, Supplier<? extends @Nullable Exception> failure) {
        rig.clocks()
                .eventually(() -> who + " is " + wanted + ", it is " + poll.get() + " (" + failure.get() + ")", () -> {
                    KvPoll seen = poll.get();
                    boolean ended = seen == KvPoll.SUCCESS || seen == KvPoll.FAILED;
                    Expect.that(
                            !ended || seen == wanted,
                            who + " ended as " + seen + " (" + failure.get() + "), not as " + wanted);
                    return seen == wanted;
                });
    }

    /**
     * Waits until the pages of a room can be used again.
     *
     * @param receiver decode's side of a room that ended
     */
    public void awaitReleased(KvReceiver receiver) {
        rig.clocks()
                .eventually(
                        () -> "the pages of a room that ended are released, their lease is "
                                + receiver.lease().state(),
                        () -> receiver.lease().state().isReleased());
    }

    private String nextName(String role) {
        return role + (prefill.size() + decode.size());
    }

    private KvRank.Surroundings surroundings() {
        return new KvRank.Surroundings("127.0.0.1:" + registry.port(), directory, options);
    }

    private static BootstrapServer registry(int port) {
        return BootstrapServer.start(BootstrapSettings.of("127.0.0.1", port, null));
    }

    @Override
    public void close() {
        decode.forEach(KvRank::close);
        prefill.forEach(KvRank::close);
        client.close();
        registry.close();
    }
}
