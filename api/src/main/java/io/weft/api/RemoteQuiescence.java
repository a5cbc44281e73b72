package io.weft.api;

/**
 * What is known about the remote side when a transfer is terminal (rule DL-2).
 *
 * @since 0.1
 */
public enum RemoteQuiescence {
    /** Nothing of the transfer can touch remote memory any more: it succeeded, moved nothing, or the target acknowledged a fence. */
    QUIESCED,
    /** The means to reach remote memory were revoked. */
    FENCED,
    /** The target could not be reached; every connection of the link was reset. */
    UNCONFIRMED
}
