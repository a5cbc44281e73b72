package io.weft.kv.layout;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Kinds of state that travel beside the KV pages.
 *
 * @since 0.1
 */
public enum StateType {
    /** Linear-attention state: one slot per request, sliced over TP ranks. */
    MAMBA,
    /** Pages of a sliding window. */
    SWA,
    /** Index cache of sparse attention, one page per KV page. */
    DSA,
    /** Index keys of MiniMax sparse attention. */
    MINIMAX_INDEX_K,
    /** Rows of a ring of the last window positions. */
    SWA_RING,
    /** The row of a partly filled compression block. */
    C128_STATE;

    /**
     * The name on the wire and in configurations.
     *
     * @return lower case
     */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Finds a type by its name.
     *
     * @param wireName the name
     * @return the type
     * @throws WeftException INVALID_ARGUMENT naming the known ones
     */
    public static StateType of(String wireName) {
        return Arrays.stream(values())
                .filter(type -> type.wireName().equals(wireName))
                .findFirst()
                .orElseThrow(() -> new WeftException(
                        ErrorCode.INVALID_ARGUMENT,
                        "unknown state_type=" + wireName + ", known are "
                                + Arrays.stream(values())
                                        .map(StateType::wireName)
                                        .collect(Collectors.joining(", "))));
    }
}
