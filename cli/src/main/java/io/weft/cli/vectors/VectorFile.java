package io.weft.cli.vectors;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Finds the vectors of a file, whichever of the known sections it has. */
final class VectorFile {
    static final String SCENARIOS = "scenarios";

    private static final Set<String> NO_VECTORS = Set.of("description", "byte_order", "source", "notes");
    private static final Set<String> LISTS = Set.of("vectors", "rdmaControlPlane", "tcpBackendV3");

    /** Sections that a backend's own codec answers, with the backend. */
    static final Map<String, String> BACKENDS = Map.of("rdmaControlPlane", "rdma", "tcpBackendV3", "tcp");

    private VectorFile() {}

    static List<Vector> vectors(JsonNode file) {
        List<Vector> vectors = new ArrayList<>();
        file.propertyStream().forEach(p -> {
            String section = p.getKey();
            if (LISTS.contains(section)) {
                p.getValue().valueStream().forEach(v -> vectors.add(listed(section, v)));
            } else if (section.equals(SCENARIOS)) {
                p.getValue()
                        .propertyStream()
                        .forEach(s -> s.getValue()
                                .valueStream()
                                .forEach(m -> vectors.add(
                                        new Vector(SCENARIOS, SCENARIOS + "/" + text(m, "kind"), s.getKey(), m))));
            } else if (!NO_VECTORS.contains(section)) {
                vectors.add(new Vector(section, section, "unknown section", p.getValue()));
            }
        });
        return vectors;
    }

    private static Vector listed(String section, JsonNode vector) {
        return new Vector(section, text(vector, "kind"), text(vector, "name"), vector);
    }

    private static String text(JsonNode object, String key) {
        return object.has(key) ? object.get(key).asString() : "no " + key;
    }
}
