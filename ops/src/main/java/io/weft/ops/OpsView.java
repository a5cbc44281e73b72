package io.weft.ops;

import io.weft.telemetry.EngineView;
import io.weft.telemetry.RoomView;
import java.util.List;

/**
 * What {@code GET /inspect} answers. Immutable.
 *
 * @param pid the process
 * @param engine the engine
 * @param rooms rooms that are not cleared, oldest first
 * @since 0.1
 */
public record OpsView(long pid, EngineView engine, List<RoomView> rooms) {
    /** Copies the list. */
    public OpsView {
        rooms = List.copyOf(rooms);
    }
}
