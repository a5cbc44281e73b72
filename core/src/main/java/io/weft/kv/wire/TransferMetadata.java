package io.weft.kv.wire;

/**
 * Decode to prefill, once per room and endpoint: where the pages of this request go.
 *
 * @param room the room, unsigned
 * @param host the decode rank's control address
 * @param port the decode rank's control port
 * @param engineKey the decode rank's engine key
 * @param pages destination page ids
 * @param auxIndex destination aux row, -1 for none
 * @param stateIndices destination state indices per component; an empty list for a component without
 * @param requiredPeers how many distinct decode ranks the prefill rank has to hear from
 * @param prefixTokens tokens that decode already holds, 0 for none
 * @param extras what Weft adds: epoch, key, generation, dummy flag
 * @since 0.1
 */
public record TransferMetadata(
        long room,
        String host,
        int port,
        String engineKey,
        int[] pages,
        int auxIndex,
        int[][] stateIndices,
        int requiredPeers,
        int prefixTokens,
        Extras extras)
        implements KvMessage {
    /**
     * Whether the addressee has nothing to send for this room. An older peer does not say so; then it is one that names
     * neither pages nor an aux row nor state, whatever the prefix, because every real receiver names an aux row.
     *
     * @return true for a dummy
     */
    public boolean isDummy() {
        Boolean said = extras.dummy();
        if (said != null) {
            return said;
        }
        boolean anyState = false;
        for (int[] component : stateIndices) {
            anyState |= component.length > 0;
        }
        return pages.length == 0 && auxIndex < 0 && !anyState;
    }
}
