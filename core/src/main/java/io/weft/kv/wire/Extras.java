package io.weft.kv.wire;

import io.weft.kv.layout.PeerLayout;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What Weft ranks add to a message in one trailing frame. All parts are optional; {@link #NONE} adds no frame at all, so
 * that the message is byte-equal to the original's.
 *
 * <p>Immutable; safe from any thread. Grows by new keys, which readers ignore when they do not know them.
 *
 * @param epoch the sender's incarnation, 0 when not said
 * @param target the incarnation of the rank that the message is meant for, 0 for any
 * @param generation which use of the room id is meant, 0 when not said
 * @param dummy whether the receiver of metadata has nothing to send (rule KV-5); null when not said
 * @param quiet what is known of the writes, in a status
 * @param errorCode number of an {@link io.weft.api.ErrorCode} in a failed status, else 0
 * @param engineKey the sender's engine key, empty when not said
 * @param layout the sender's layout, in a registration
 * @param traceparent trace context of the room's request, in metadata; empty when not said (see {@link Traceparent})
 * @since 0.1
 */
public record Extras(
        long epoch,
        long target,
        long generation,
        @Nullable Boolean dummy,
        Quiet quiet,
        int errorCode,
        String engineKey,
        @Nullable PeerLayout layout,
        String traceparent) {
    /** Nothing added. */
    public static final Extras NONE = new Extras(0, 0, 0, null, Quiet.UNSAID, 0, "", null, "");

    /** Checks for null. */
    public Extras {
        Objects.requireNonNull(quiet, "quiet");
        Objects.requireNonNull(engineKey, "engineKey");
        Objects.requireNonNull(traceparent, "traceparent");
    }

    /**
     * Starts from the identity that every message of a Weft rank carries.
     *
     * @param epoch the sender's incarnation
     * @param engineKey the sender's engine key
     * @return extras with these two
     */
    public static Extras from(long epoch, String engineKey) {
        return new Extras(epoch, 0, 0, null, Quiet.UNSAID, 0, engineKey, null, "");
    }

    /**
     * Names the use of the room and the incarnation of the addressee.
     *
     * @param roomGeneration which use of the room
     * @param targetEpoch the addressee's incarnation, 0 for any
     * @return a copy
     */
    public Extras withRoom(long roomGeneration, long targetEpoch) {
        return new Extras(epoch, targetEpoch, roomGeneration, dummy, quiet, errorCode, engineKey, layout, traceparent);
    }

    /**
     * Says whether the receiver has nothing to send.
     *
     * @param value the flag
     * @return a copy
     */
    public Extras withDummy(boolean value) {
        return new Extras(epoch, target, generation, value, quiet, errorCode, engineKey, layout, traceparent);
    }

    /**
     * Says how the writes ended.
     *
     * @param value the quiescence
     * @param code number of the error code, 0 for none
     * @return a copy
     */
    public Extras withQuiet(Quiet value, int code) {
        return new Extras(epoch, target, generation, dummy, value, code, engineKey, layout, traceparent);
    }

    /**
     * Adds the sender's layout.
     *
     * @param value the layout
     * @return a copy
     */
    public Extras withLayout(PeerLayout value) {
        return new Extras(epoch, target, generation, dummy, quiet, errorCode, engineKey, value, traceparent);
    }

    /**
     * Adds the trace context of the room's request.
     *
     * @param value a well-formed traceparent, empty for none
     * @return a copy
     */
    public Extras withTraceparent(String value) {
        return new Extras(epoch, target, generation, dummy, quiet, errorCode, engineKey, layout, value);
    }

    /**
     * Whether the sender is a Weft rank.
     *
     * @return false for {@link #NONE}
     */
    public boolean isPresent() {
        return !equals(NONE);
    }
}
