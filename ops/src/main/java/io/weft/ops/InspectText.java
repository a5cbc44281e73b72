package io.weft.ops;

import io.weft.telemetry.EngineView;
import io.weft.telemetry.RoomView;
import io.weft.telemetry.StallText;

/**
 * A picture in words, as {@code weft inspect} prints it.
 *
 * @since 0.1
 */
public final class InspectText {
    private InspectText() {}

    /**
     * Puts a picture into words.
     *
     * @param view the picture
     * @return lines
     */
    public static String of(OpsView view) {
        EngineView engine = view.engine();
        StringBuilder text = new StringBuilder();
        text.append("engine ").append(engine.key()).append(" at ").append(engine.address());
        text.append(", process ").append(view.pid()).append(", backends ").append(String.join(", ", engine.backends()));
        text.append('\n');
        text.append("transfers: ").append(engine.inFlight()).append(" in flight, ");
        text.append(engine.started())
                .append(" started, ")
                .append(engine.failed())
                .append(" failed; ");
        text.append(engine.registeredBytes()).append(" bytes registered\n");
        engine.peers().forEach(peer -> text.append(StallText.peer(peer)));
        if (engine.peersLeftOut() > 0) {
            text.append("and ").append(engine.peersLeftOut()).append(" more peers\n");
        }
        for (RoomView room : view.rooms()) {
            text.append(room.role())
                    .append(" room ")
                    .append(room.room())
                    .append(": ")
                    .append(room.state());
            text.append(", age ").append(StallText.duration(room.ageNanos()));
            text.append(room.waitsFor().isEmpty() ? "" : ", waits for " + room.waitsFor());
            text.append(", lease ").append(room.lease());
            text.append(room.failure().isEmpty() ? "" : ", " + room.failure()).append('\n');
        }
        return text.toString();
    }
}
