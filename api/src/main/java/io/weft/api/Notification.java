package io.weft.api;

import java.util.Objects;

/**
 * What an initiator told this engine with a transfer (rules NOT-1 to NOT-3).
 *
 * <p>Immutable if the payload is left alone; the payload array belongs to the receiver.
 *
 * @param peerKey the initiator's wire key
 * @param transferId the initiator's transfer id
 * @param code 0 if the transfer succeeded and its bytes are visible, else an {@link ErrorCode} number (rule NOT-2)
 * @param payload 0 to {@value TransferOptions#MAX_NOTIFICATION_BYTES} bytes
 * @since 0.1
 */
public record Notification(String peerKey, long transferId, int code, byte[] payload) {
    /** Checks for null. */
    public Notification {
        Objects.requireNonNull(peerKey, "peerKey");
        Objects.requireNonNull(payload, "payload");
    }
}
