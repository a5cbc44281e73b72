package io.weft.tck.harness;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the kit and its target processes say to each other: Java objects over the process's standard streams. */
final class Wire {
    private Wire() {}

    /**
     * A call; engine 0 is the host itself.
     *
     * @param id names the reply
     * @param engine which engine of the process
     * @param method name of a method of {@link Target}, or {@code open}
     * @param arguments serializable arguments
     */
    record Call(long id, int engine, String method, List<? extends @Nullable Object> arguments)
            implements Serializable {}

    /**
     * The answer.
     *
     * @param id of the call
     * @param result what was returned
     * @param failure what was thrown, null if nothing was
     */
    record Reply(long id, @Nullable Object result, @Nullable Throwable failure) implements Serializable {}
}
