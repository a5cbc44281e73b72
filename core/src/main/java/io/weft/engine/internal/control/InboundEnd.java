package io.weft.engine.internal.control;

import org.jspecify.annotations.Nullable;

/**
 * What an initiator tells a target when a transfer has ended there.
 *
 * @param transferId the initiator's id
 * @param code 0 for success, else an {@link io.weft.api.ErrorCode} number
 * @param text why it failed, empty for success
 * @param notification payload of 0 to 4 096 bytes, null when only the end is told
 */
public record InboundEnd(long transferId, int code, String text, byte @Nullable [] notification) {}
