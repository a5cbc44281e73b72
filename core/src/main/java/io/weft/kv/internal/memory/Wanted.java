package io.weft.kv.internal.memory;

/**
 * Destination memory of a room. The arrays are not changed.
 *
 * @param pages page ids
 * @param auxRow aux row, -1 for none
 * @param state indices per component, empty for a component without
 */
public record Wanted(int[] pages, int auxRow, int[][] state) {}
