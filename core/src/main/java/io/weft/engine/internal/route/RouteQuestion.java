package io.weft.engine.internal.route;

import io.weft.api.MemoryKind;
import io.weft.api.RoutePolicy;
import io.weft.spi.OperationKind;

/**
 * What is to be carried.
 *
 * @param operation direction
 * @param local local memory kind
 * @param remote remote memory kind
 * @param policy what to do about degraded routes
 */
public record RouteQuestion(OperationKind operation, MemoryKind local, MemoryKind remote, RoutePolicy policy) {
    /**
     * What is to be carried if device memory is staged.
     *
     * @return the same question between host memory
     */
    RouteQuestion staged() {
        return new RouteQuestion(operation, MemoryKind.HOST, MemoryKind.HOST, policy);
    }

    /**
     * Whether device memory is involved.
     *
     * @return true unless both sides are host memory
     */
    boolean isDevice() {
        return !local.isHost() || !remote.isHost();
    }

    @Override
    public String toString() {
        return operation.name().toLowerCase(java.util.Locale.ROOT) + " " + local + "->" + remote;
    }
}
