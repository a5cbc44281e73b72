package io.weft.tck.kv;

/**
 * What goes where in one room.
 *
 * @param id the room, unsigned
 * @param source pages of the prefill ranks
 * @param pages pages of the decode ranks, as many
 * @param sourceRow aux row of the prefill ranks, -1 for none
 * @param row aux row of the decode ranks, -1 for none
 * @param prefixTokens tokens that the decode ranks already hold
 * @param window whether the items of the state component under the pages' numbers go too
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Room(long id, int[] source, int[] pages, int sourceRow, int row, int prefixTokens, boolean window) {
    /**
     * Two pages and an aux row.
     *
     * @param id the room, unsigned
     * @return the room
     */
    public static Room of(long id) {
        return new Room(id, new int[] {1, 2}, new int[] {4, 5}, 1, 2, 0, false);
    }

    /**
     * Without pages or aux row: only messages travel.
     *
     * @param id the room, unsigned
     * @return the room
     */
    public static Room empty(long id) {
        return of(id).withPages(new int[0], new int[0]).withoutRow();
    }

    /**
     * The same with other pages.
     *
     * @param from pages of the prefill ranks
     * @param to pages of the decode ranks, as many
     * @return a copy
     */
    public Room withPages(int[] from, int[] to) {
        return new Room(id, from, to, sourceRow, row, prefixTokens, window);
    }

    /**
     * The same without an aux row.
     *
     * @return a copy
     */
    public Room withoutRow() {
        return new Room(id, source, pages, -1, -1, prefixTokens, window);
    }

    /**
     * The same behind a prefix.
     *
     * @param tokens tokens that the decode ranks already hold
     * @return a copy
     */
    public Room withPrefix(int tokens) {
        return new Room(id, source, pages, sourceRow, row, tokens, window);
    }

    /**
     * The same with state.
     *
     * @return a copy
     */
    public Room withWindow() {
        return new Room(id, source, pages, sourceRow, row, prefixTokens, true);
    }
}
