package io.weft.spi;

/**
 * Takes ends of transfers that a backend sees as target (rule IN-1). Implemented by Weft only; safe from any thread, never
 * blocks. Backends that see nothing at the target never call it; core then learns from the initiator's engine.
 *
 * @since 0.1
 */
public interface InboundSink {
    /**
     * Reports the end of an inbound transfer, once, after its bytes are visible.
     *
     * @param peer the initiator
     * @param transferId the initiator's id
     * @param code 0 for success, else an {@link io.weft.api.ErrorCode} number
     * @param text why it failed, empty for success
     */
    void onInbound(Peer peer, long transferId, int code, String text);
}
