package io.weft.cli.vectors;

import tools.jackson.databind.JsonNode;

/** What the product makes of a vector's inputs. */
@FunctionalInterface
interface Check {
    /**
     * Computes what the vector's {@code expected} is compared with.
     *
     * @param vector the whole vector
     * @return maps, lists, numbers, booleans, texts and null in the shape of {@code expected}; more keys do no harm
     * @throws io.weft.api.WeftException if the product refuses the inputs
     */
    Object actual(JsonNode vector);
}
