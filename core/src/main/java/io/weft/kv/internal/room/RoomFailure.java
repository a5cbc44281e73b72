package io.weft.kv.internal.room;

import io.weft.api.ErrorCode;
import io.weft.kv.KvTransferException;

/**
 * Why a room failed. The first reason stays.
 *
 * @param code stable code
 * @param reason text for people
 * @param teller the rank that this one heard it from, in words; empty if it found out itself
 */
public record RoomFailure(ErrorCode code, String reason, String teller) {
    /**
     * One that this rank found out itself.
     *
     * @param code stable code
     * @param reason text for people
     */
    public RoomFailure(ErrorCode code, String reason) {
        this(code, reason, "");
    }

    /**
     * The failure in one line.
     *
     * @return code, who told it if another rank did, and reason
     */
    public String text() {
        return code + (teller.isEmpty() ? ": " : ", told by " + teller + ": ") + reason;
    }

    /**
     * What the application gets.
     *
     * @param room the room
     * @return a new exception
     */
    public KvTransferException exception(long room) {
        return new KvTransferException(room, code, reason, !teller.isEmpty());
    }
}
