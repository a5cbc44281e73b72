package io.weft.kv.wire;

import java.util.List;

/**
 * Decode to prefill, once per pair of ranks: where the decode rank listens and which memory it offers.
 *
 * @param host the decode rank's control address
 * @param port the decode rank's control port
 * @param engine packed engine descriptor
 * @param kv packed descriptors of the KV buffers
 * @param aux packed descriptors of the aux buffers
 * @param state packed descriptors per state component
 * @param gpuId device ordinal, -1 for none
 * @param tpSize decode attention TP size
 * @param engineRank decode engine rank
 * @param kvItemLen bytes of one page of the first KV buffer
 * @param stateItemLens bytes of one item, per component and tensor
 * @param stateDims size of the sliced dimension, per component and tensor; an empty list where unknown
 * @param extras what Weft adds: epoch, key and layout
 * @since 0.1
 */
public record PeerRegistration(
        String host,
        int port,
        byte[] engine,
        List<byte[]> kv,
        List<byte[]> aux,
        List<List<byte[]>> state,
        int gpuId,
        int tpSize,
        int engineRank,
        long kvItemLen,
        long[][] stateItemLens,
        long[][] stateDims,
        Extras extras)
        implements KvMessage {}
