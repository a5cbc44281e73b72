package io.weft.tck.harness;

import io.weft.api.TransferEngine;
import java.util.Map;

/** What a report shows of an engine. */
final class EngineState {
    private EngineState() {}

    static String describe(TransferEngine engine) {
        return "engine " + engine.descriptor().key() + "\n  " + engine.stats() + "\n" + threads();
    }

    /** Weft's threads of this process, each with where it stands. */
    static String threads() {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<Thread, StackTraceElement[]> entry :
                Thread.getAllStackTraces().entrySet()) {
            Thread thread = entry.getKey();
            if (thread.getName().startsWith("weft-")) {
                text.append("  thread ").append(thread.getName()).append(' ').append(thread.getState());
                for (int i = 0; i < Math.min(4, entry.getValue().length); i++) {
                    text.append("\n    at ").append(entry.getValue()[i]);
                }
                text.append('\n');
            }
        }
        return text.toString();
    }
}
