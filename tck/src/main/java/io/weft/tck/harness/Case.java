package io.weft.tck.harness;

import java.util.Locale;
import java.util.Optional;

/**
 * One permutation in which a rule is tried.
 *
 * @param topology where the two sides are
 * @param kinds memory kinds of the two sides
 * @param shape the segments, for rules that take one
 * @param seed seed of everything random in it
 */
public record Case(Topology topology, Facts.Kinds kinds, Optional<Shape> shape, long seed) {
    @Override
    public String toString() {
        return topology.name().toLowerCase(Locale.ROOT) + " " + kinds
                + shape.map(s -> ", " + s).orElse("");
    }
}
