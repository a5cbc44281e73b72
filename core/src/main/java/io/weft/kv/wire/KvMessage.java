package io.weft.kv.wire;

/**
 * One control message of the KV layer. The family is closed: these five are the whole protocol.
 *
 * <p>Immutable as long as callers leave the arrays inside alone; safe from any thread.
 *
 * @since 0.1
 */
public sealed interface KvMessage permits PeerRegistration, TransferMetadata, RoomStatus, AuxData, RoomAbort {
    /**
     * What only Weft peers understand.
     *
     * @return the extras, {@link Extras#NONE} from an older peer
     */
    Extras extras();
}
