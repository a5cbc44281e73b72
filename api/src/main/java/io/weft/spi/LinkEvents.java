package io.weft.spi;

import io.weft.api.ErrorCode;

/**
 * What a link tells core. Implemented by Weft only; safe from any thread, never blocks, allocates nothing in
 * {@link #onWritable}.
 *
 * @since 0.1
 */
public interface LinkEvents {
    /** After WOULD_BLOCK: posting may go on. Spurious calls are harmless. */
    void onWritable();

    /**
     * The link is DOWN. Every accepted operation is still completed, before or after this call, within the declared quiesce
     * time. Only the first call counts.
     *
     * @param code why: PEER_LOST, FABRIC, PROTOCOL, REMOTE_ACCESS, ...
     * @param nativeCode errno, verbs status or provider errno; 0 for none
     * @param text what happened, with device and native text
     */
    void onDown(ErrorCode code, long nativeCode, String text);
}
