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
    @Override
    public String toString() {
        return operation.name().toLowerCase(java.util.Locale.ROOT) + " " + local + "->" + remote;
    }
}
