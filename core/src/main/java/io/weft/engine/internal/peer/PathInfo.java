package io.weft.engine.internal.peer;

import java.util.List;

/**
 * The path of a link, the same for all transfers over it.
 *
 * @param backend name
 * @param devices devices in use
 * @param lanes connections or queue pairs
 */
record PathInfo(String backend, List<String> devices, int lanes) {
    static final PathInfo NONE = new PathInfo("", List.of(), 0);
}
