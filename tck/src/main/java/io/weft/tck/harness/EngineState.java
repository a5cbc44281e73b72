package io.weft.tck.harness;

import io.weft.api.TransferEngine;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** What a report shows of an engine. */
public final class EngineState {
    /** How the line of an idle thread begins. */
    public static final String IDLE = "idle thread ";

    private static final int FRAMES = 8;

    /** Where a thread waits that has nothing to do. */
    private static final Set<String> IDLE_FRAMES = Set.of(
            "java.util.concurrent.ThreadPoolExecutor.getTask",
            "java.util.concurrent.ForkJoinPool.awaitWork",
            "sun.nio.ch.SelectorImpl.lockAndDoSelect",
            "io.weft.engine.internal.time.TimerWheel.sleep",
            "io.weft.engine.internal.backend.ProgressThread.block",
            "io.weft.engine.internal.backend.ProgressTurn.rest");

    /** Inside a backend, also when it looks a last time before it waits. */
    private static final String POLLING = "io.weft.engine.internal.backend.ProgressTurn.poll";

    private EngineState() {}

    static String describe(TransferEngine engine) {
        return "engine " + engine.descriptor().key() + "\n  " + engine.stats() + "\n" + threads();
    }

    /** Weft's threads of this process: first those that do something, with where they stand, then a line for each idle one. */
    static String threads() {
        StringBuilder busy = new StringBuilder();
        StringBuilder idle = new StringBuilder();
        Thread.getAllStackTraces().entrySet().stream()
                .filter(entry -> entry.getKey().getName().startsWith("weft-"))
                .sorted(Comparator.comparing(entry -> entry.getKey().getName()))
                .forEach(entry -> {
                    Thread thread = entry.getKey();
                    List<StackTraceElement> stack = List.of(entry.getValue());
                    if (isIdle(stack)) {
                        idle.append("  ").append(IDLE).append(thread.getName()).append('\n');
                    } else {
                        busy.append("  thread ")
                                .append(thread.getName())
                                .append(' ')
                                .append(thread.getState());
                        stack.stream()
                                .limit(FRAMES)
                                .forEach(f -> busy.append("\n    at ").append(f));
                        busy.append('\n');
                    }
                });
        return busy.append(idle).toString();
    }

    /** Waits for work, for the network or for its time, as its loop does when there is nothing to do. */
    static boolean isIdle(List<StackTraceElement> stack) {
        if (stack.isEmpty()) {
            return true; // just ending
        }
        List<String> frames = stack.stream()
                .map(frame -> frame.getClassName() + "." + frame.getMethodName())
                .toList();
        return frames.stream().anyMatch(IDLE_FRAMES::contains) && !frames.contains(POLLING);
    }
}
