package io.weft.tck.mutants;

import io.weft.api.ErrorCode;
import io.weft.api.SegmentTable;
import io.weft.api.SharedSegments;
import io.weft.api.TransferEngine;
import io.weft.api.WeftException;
import io.weft.kv.KvChunk;
import io.weft.kv.KvPoll;
import io.weft.kv.KvReceiver;
import io.weft.kv.KvSender;
import io.weft.kv.KvTransferException;
import io.weft.tck.kv.KvRank;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Defects of the KV layer. */
final class KvMutants {
    private KvMutants() {}

    static List<Mutant> all() {
        List<Mutant> all = new ArrayList<>(spoiledReceivers());
        all.addAll(spoiledRest());
        return all;
    }

    private static List<Mutant> spoiledReceivers() {
        return List.of(
                receivers("KV-2", "an abort after the end ends the room again", "there was a second end", Twice::new),
                rooms(
                        "KV-2",
                        "decode takes a status of an older generation for its own",
                        "a change by messages of an older generation",
                        KvReceiver.class),
                rooms(
                        "KV-2",
                        "prefill takes an abort of an older generation for its own",
                        "a change by messages of an older generation",
                        KvSender.class),
                receivers(
                        "KV-3",
                        "decode keeps an abort for itself",
                        "the sender of room 0 is FAILED, it is ",
                        () -> (sound, method, args) ->
                                method.getName().equals("abort") ? null : Spoil.go(sound, method, args)),
                receivers(
                        "KV-4",
                        "leased pages are handed out",
                        "a room that names page 5 of a room that has not ended was not refused",
                        () -> KvMutants::ignoresLeases),
                receivers(
                        "KV-5",
                        "the first rank that is done ends the room",
                        "only a dummy rank is done",
                        () -> (sound, method, args) -> {
                            Object result = Spoil.go(sound, method, args);
                            return result == KvPoll.WAITING_FOR_INPUT ? KvPoll.SUCCESS : result;
                        }),
                receivers(
                        "KV-7",
                        "a refusal does not tell the values",
                        "does not name '4' and '8'",
                        () -> (sound, method, args) -> method.getName().equals("failure")
                                ? new KvTransferException(7, ErrorCode.INCOMPATIBLE, "layouts differ", false)
                                : Spoil.go(sound, method, args)),
                receivers(
                        "KV-9",
                        "prefill is not told of the prefix",
                        "the prefix tokens that prefill was told is 0",
                        () -> (sound, method, args) -> {
                            if (method.getName().equals("sendMetadata")) {
                                args[3] = 0;
                            }
                            return Spoil.go(sound, method, args);
                        }));
    }

    private static List<Mutant> spoiledRest() {
        Map<Object, Object> remembered = new ConcurrentHashMap<>();
        return List.of(
                Mutant.engine(
                        "KV-1",
                        "the last buffer of a chunk is forgotten",
                        "at Success, ",
                        parts(part -> part.pairs().size() < 2
                                ? part
                                : new SharedSegments(
                                        part.pairs().subList(0, part.pairs().size() - 1), part.segments()))),
                Mutant.engine(
                        "KV-6",
                        "the first two heads of a slice change places",
                        ", decode rank 0, ",
                        parts(part -> new SharedSegments(part.pairs(), swapped(part.segments())))),
                senders("KV-8", "the end of a room is not checked", "after a lost chunk", (sound, method, args) -> {
                    if (method.getName().equals("send") && args[0] instanceof KvChunk chunk) {
                        args[0] = new KvChunk(chunk.pages(), false, chunk.state(), chunk.readyWhen());
                    }
                    return Spoil.go(sound, method, args);
                }),
                senders(
                        "KV-10",
                        "a cleared room is kept",
                        "all tables of rooms are empty",
                        (sound, method, args) ->
                                method.getName().equals("clear") ? null : Spoil.go(sound, method, args)),
                Mutant.engine(
                        "KV-4",
                        "a writer is said to be cut off, and is not",
                        "after the fabric let the writes of the aborted room go",
                        (sound, method, args) ->
                                method.getName().startsWith("fence") ? (Object) true : Spoil.go(sound, method, args)),
                Mutant.directory(
                        "KV-11",
                        "addresses are remembered for ever",
                        "no room succeeds after the prefill rank was started again",
                        (sound, method, args) -> {
                            if (!method.getName().equals("rank")) {
                                return Spoil.go(sound, method, args);
                            }
                            Object known = remembered.get(args[1]);
                            return known != null ? known : remember(remembered, args[1], Spoil.go(sound, method, args));
                        }),
                Mutant.rooms(
                        "KV-12",
                        "prefill takes rooms for signed",
                        "the receiver of room 9223372036854775808 is SUCCESS, it is ",
                        (sound, method, args) -> {
                            if (method.getName().equals("sender") && (long) args[0] < 0) {
                                args[0] = (long) args[0] ^ Long.MIN_VALUE ^ 0x5500;
                            }
                            return Spoil.go(sound, method, args);
                        }));
    }

    private static Object remember(Map<Object, Object> remembered, Object key, Object value) {
        remembered.put(key, value);
        return value;
    }

    private static Mutant receivers(
            String rule, String defect, String message, Supplier<Spoil.Around<KvReceiver>> around) {
        return Mutant.rooms(rule, defect, message, (sound, method, args) -> {
            Object result = Spoil.go(sound, method, args);
            return result instanceof KvReceiver r ? Spoil.around(KvReceiver.class, r, around.get()) : result;
        });
    }

    private static Mutant senders(String rule, String defect, String message, Spoil.Around<KvSender> around) {
        return Mutant.rooms(rule, defect, message, (sound, method, args) -> {
            Object result = Spoil.go(sound, method, args);
            return result instanceof KvSender s ? Spoil.around(KvSender.class, s, around) : result;
        });
    }

    /** Messages that a rank rejects end one side of its rooms all the same. */
    private static <T> Mutant rooms(String rule, String defect, String message, Class<T> side) {
        return Mutant.rooms(rule, defect, message, (sound, method, args) -> {
            Object result = Spoil.go(sound, method, args);
            if (!side.isInstance(result)) {
                return result;
            }
            long before = ((KvRank) sound).stats().rejected();
            return Spoil.around(
                    side,
                    side.cast(result),
                    (room, call, arguments) -> call.getName().equals("poll")
                                    && ((KvRank) sound).stats().rejected() > before
                            ? KvPoll.FAILED
                            : Spoil.go(room, call, arguments));
        });
    }

    private static Object ignoresLeases(KvReceiver sound, Method method, Object[] args) throws Throwable {
        try {
            return Spoil.go(sound, method, args);
        } catch (WeftException refused) {
            if (refused.code() == ErrorCode.RESOURCE_EXHAUSTED) {
                return null;
            }
            throw refused;
        }
    }

    /** Changes what a chunk writes. */
    private static Spoil.Around<TransferEngine> parts(UnaryOperator<SharedSegments> edit) {
        return (sound, method, args) -> {
            if (method.getName().equals("writeMulti")) {
                args[0] = ((List<?>) args[0])
                        .stream().map(part -> edit.apply((SharedSegments) part)).toList();
            }
            return Spoil.go(sound, method, args);
        };
    }

    private static SegmentTable swapped(SegmentTable table) {
        int first = table.from();
        if (table.size() < 2 || table.lengths()[first] != table.lengths()[first + 1]) {
            return table;
        }
        long[] remote = table.remoteOffsets().clone();
        remote[first] = table.remoteOffsets()[first + 1];
        remote[first + 1] = table.remoteOffsets()[first];
        return SegmentTable.of(table.localOffsets(), remote, table.lengths(), table.from(), table.to());
    }

    /** A receiver that fails when it is aborted, whatever it was. */
    private static final class Twice implements Spoil.Around<KvReceiver> {
        private volatile boolean aborted;

        @Override
        public Object call(KvReceiver sound, Method method, Object[] args) throws Throwable {
            aborted |= method.getName().equals("abort");
            return aborted && method.getName().equals("poll") ? KvPoll.FAILED : Spoil.go(sound, method, args);
        }
    }
}
