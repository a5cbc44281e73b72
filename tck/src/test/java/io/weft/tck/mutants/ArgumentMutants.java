package io.weft.tck.mutants;

import io.weft.api.ErrorCode;
import io.weft.api.PairTransfer;
import io.weft.api.SegmentTable;
import io.weft.api.SharedSegments;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import java.time.Duration;
import java.util.List;

/** Engines that take what they must refuse, or do a part of what they were asked for. */
final class ArgumentMutants {
    private ArgumentMutants() {}

    static List<Mutant> all() {
        return List.of(
                Mutant.engine(
                        "ERR-1", "bad arguments throw", "must return a FAILED transfer", (sound, method, args) -> {
                            Object result = Spoil.go(sound, method, args);
                            if (result instanceof Transfer t
                                    && t.code()
                                            .filter(c -> c == ErrorCode.INVALID_ARGUMENT)
                                            .isPresent()) {
                                throw new IllegalArgumentException(t.text());
                            }
                            return result;
                        }),
                Mutant.engine(
                        "WR-4",
                        "overlaps are taken",
                        "a transfer with destinations that overlap",
                        takesOverlaps("batchWrite")),
                Mutant.engine(
                        "RD-4",
                        "overlaps are taken",
                        "a transfer with destinations that overlap",
                        takesOverlaps("batchRead")),
                Mutant.engine(
                        "WR-5",
                        "the good segments of a bad write move",
                        "the target after ",
                        startsEarly("batchWrite")),
                Mutant.engine(
                        "RD-5",
                        "the good segments of a bad read move",
                        "the initiator after ",
                        startsEarly("batchRead")),
                Mutant.engine(
                        "WR-6",
                        "empty writes do not notify",
                        "the target is notified of an empty transfer",
                        dropsNotification("writeMulti")),
                Mutant.engine(
                        "RD-6",
                        "empty reads do not notify",
                        "the target is notified of an empty transfer",
                        dropsNotification("readMulti")),
                Mutant.engine(
                        "WR-8", "a bad pair takes the batch with it", "must be SUCCEEDED", failsTogether("batchWrite")),
                Mutant.engine(
                        "RD-8", "a bad pair takes the batch with it", "must be SUCCEEDED", failsTogether("batchRead")),
                Mutant.engine(
                        "WR-11",
                        "only the first pair is written",
                        "the target's region of pair 1",
                        firstPairOnly("writeMulti")),
                Mutant.engine(
                        "RD-11",
                        "only the first pair is read",
                        "the initiator's region of pair 1",
                        firstPairOnly("readMulti")));
    }

    /** Carries out the first segment of what is refused, and says that all is well. */
    private static Spoil.Around<TransferEngine> takesOverlaps(String call) {
        return (sound, method, args) -> {
            Object result = Spoil.go(sound, method, args);
            return method.getName().equals(call) && isInvalid(result) ? List.of(first(sound, call, args)) : result;
        };
    }

    private static Spoil.Around<TransferEngine> startsEarly(String call) {
        return (sound, method, args) -> {
            Object result = Spoil.go(sound, method, args);
            if (method.getName().equals(call) && isInvalid(result)) {
                first(sound, call, args).await(Duration.ofSeconds(5));
            }
            return result;
        };
    }

    private static boolean isInvalid(Object result) {
        return ((Transfer) ((List<?>) result).getFirst())
                .code()
                .filter(c -> c == ErrorCode.INVALID_ARGUMENT)
                .isPresent();
    }

    private static Transfer first(TransferEngine sound, String call, Object[] args) {
        PairTransfer pair = (PairTransfer) ((List<?>) args[0]).getFirst();
        SegmentTable t = pair.segments();
        return call.equals("batchWrite")
                ? sound.write(
                        pair.pair().local(),
                        t.localOffsets()[0],
                        pair.pair().remote(),
                        t.remoteOffsets()[0],
                        16,
                        TransferOptions.DEFAULT)
                : sound.read(
                        pair.pair().local(),
                        t.localOffsets()[0],
                        pair.pair().remote(),
                        t.remoteOffsets()[0],
                        16,
                        TransferOptions.DEFAULT);
    }

    private static Spoil.Around<TransferEngine> dropsNotification(String call) {
        return (sound, method, args) -> {
            if (method.getName().equals(call)) {
                args[1] = TransferOptions.DEFAULT;
            }
            return Spoil.go(sound, method, args);
        };
    }

    private static Spoil.Around<TransferEngine> failsTogether(String call) {
        return (sound, method, args) -> {
            Object result = Spoil.go(sound, method, args);
            if (!method.getName().equals(call)) {
                return result;
            }
            Object bad = ((List<?>) result)
                    .stream()
                            .filter(t -> ((Transfer) t).code().isPresent())
                            .findFirst()
                            .orElseThrow();
            return ((List<?>) result).stream().map(t -> bad).toList();
        };
    }

    private static Spoil.Around<TransferEngine> firstPairOnly(String call) {
        return (sound, method, args) -> {
            if (method.getName().equals(call)) {
                SharedSegments part = (SharedSegments) ((List<?>) args[0]).getFirst();
                args[0] = List.of(new SharedSegments(List.of(part.pairs().getFirst()), part.segments()));
            }
            return Spoil.go(sound, method, args);
        };
    }
}
