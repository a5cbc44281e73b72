package io.weft.kv.internal.decode;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.kv.KvPoll;
import io.weft.kv.KvReceiver;
import io.weft.kv.internal.room.RoomFailure;
import java.time.Duration;

/** Finds the prefill ranks of one room, patiently: an instance that is starting is asked again each second. */
final class Lookup {
    private static final int ATTEMPTS = 15;

    private final PrefillInstances instances;
    private final Duration pause;

    Lookup(PrefillInstances instances, Duration pause) {
        this.instances = instances;
        this.pause = pause;
    }

    /** How a look-up ended. */
    sealed interface Result {
        record Found(PrefillInstance instance) implements Result {}

        record Failed(RoomFailure reason) implements Result {}
    }

    /**
     * Blocks until the ranks are known, the room ended, or patience is over. A DP rank that is not known yet is waited for as
     * long as the room waits; an instance that does not answer for {@value #ATTEMPTS} attempts.
     */
    Result run(DecodeRoom room, int dpRank) throws InterruptedException {
        String last = "the room ended before the prefill ranks were known";
        ErrorCode code = ErrorCode.CANCELLED;
        for (int failures = 0; failures < ATTEMPTS && room.status() == KvPoll.BOOTSTRAPPING; ) {
            try {
                int dp = dpRank == KvReceiver.ANY_DP_RANK ? instances.dpRank(room.registry(), room.id()) : dpRank;
                if (dp != KvReceiver.ANY_DP_RANK) {
                    return new Result.Found(instances.find(room.registry(), dp));
                }
            } catch (WeftException refused) {
                code = refused.code();
                last = String.valueOf(refused.getMessage());
                if (code == ErrorCode.INCOMPATIBLE || code == ErrorCode.INVALID_ARGUMENT) {
                    break;
                }
                failures++;
            }
            if (failures < ATTEMPTS) {
                Thread.sleep(pause);
            }
        }
        return new Result.Failed(new RoomFailure(
                code, "Could not fetch prefill parallel info from bootstrap_addr " + room.registry() + ": " + last));
    }
}
