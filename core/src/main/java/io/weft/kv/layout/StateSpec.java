package io.weft.kv.layout;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import java.util.List;

/**
 * One state component of a rank.
 *
 * <p>Immutable; safe from any thread.
 *
 * @param type what it is
 * @param tensors its buffers
 * @param dims size of the sliced dimension on this rank per tensor; empty when unknown or not sliceable
 * @param convShardGroups full sizes of independently sharded sub-blocks per tensor; empty for none
 * @since 0.1
 */
public record StateSpec(
        StateType type, List<BufferSpec> tensors, List<Long> dims, List<List<Integer>> convShardGroups) {
    /**
     * Copies the lists and checks their sizes.
     *
     * @throws WeftException INVALID_ARGUMENT if dims do not belong to the tensors
     */
    public StateSpec {
        tensors = List.copyOf(tensors);
        dims = List.copyOf(dims);
        convShardGroups = convShardGroups.stream().map(List::copyOf).toList();
        if (!dims.isEmpty() && dims.size() != tensors.size()) {
            throw new WeftException(
                    ErrorCode.INVALID_ARGUMENT,
                    "state " + type.wireName() + " has " + tensors.size() + " tensors and " + dims.size() + " dims");
        }
    }

    /**
     * Bytes of one item per tensor.
     *
     * @return a new array
     */
    public long[] itemLens() {
        return tensors.stream().mapToLong(BufferSpec::itemLen).toArray();
    }

    /**
     * Size of the sliced dimension per tensor.
     *
     * @return a new array, empty when unknown
     */
    public long[] dimArray() {
        return dims.stream().mapToLong(Long::longValue).toArray();
    }
}
