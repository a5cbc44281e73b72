package io.weft.api;

import java.util.Objects;

/**
 * The end of a transfer that a peer made on this engine's memory (rule IN-1).
 *
 * <p>Immutable; safe from any thread.
 *
 * @param peerKey the initiator's wire key
 * @param transferId the initiator's transfer id
 * @param code 0 for success, else an {@link ErrorCode} number
 * @param text why it failed, empty for success
 * @since 0.1
 */
public record InboundTransfer(String peerKey, long transferId, int code, String text) {
    /** Checks for null. */
    public InboundTransfer {
        Objects.requireNonNull(peerKey, "peerKey");
        Objects.requireNonNull(text, "text");
    }
}
