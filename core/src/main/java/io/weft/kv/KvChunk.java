package io.weft.kv;

import io.weft.api.ReadyEvent;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Pages to send, in the order of the receiver's page list.
 *
 * @param pages source page ids; the array must not change until the room ended
 * @param last whether the room is complete with it
 * @param state source state indices per component, with the last chunk only; a null entry for a component without, null
 *     for none at all
 * @param readyWhen becomes ready when the pages may be read, null when they may already
 * @since 0.1
 */
public record KvChunk(
        int[] pages,
        boolean last,
        @Nullable List<int @Nullable []> state,
        @Nullable ReadyEvent readyWhen) {
    private static final int[] NONE = {};

    /** Checks for null. */
    public KvChunk {
        Objects.requireNonNull(pages, "pages");
    }

    /**
     * A chunk without state.
     *
     * @param pages source page ids
     * @param last whether the room is complete with it
     * @return the chunk
     */
    public static KvChunk of(int[] pages, boolean last) {
        return new KvChunk(pages, last, null, null);
    }

    /**
     * State indices of a component.
     *
     * @param component which
     * @return the indices, empty for none
     */
    public int[] stateOf(int component) {
        if (state == null || component >= state.size()) {
            return NONE;
        }
        int[] indices = state.get(component);
        return indices == null ? NONE : indices;
    }
}
