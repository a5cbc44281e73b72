package io.weft.config;

import java.util.Collection;
import java.util.Map;

/** The backends that Weft itself publishes, for a hint when one is named but not there. */
public final class KnownBackends {
    private static final Map<String, String> ARTIFACTS = Map.of(
            "tcp", "io.weft:weft-backend-tcp",
            "rdma", "io.weft:weft-backend-rdma",
            "libfabric", "io.weft:weft-backend-libfabric");

    private KnownBackends() {}

    /**
     * Says what to do about a backend that is not there.
     *
     * @param name the name that was written
     * @param here the names of those that are there
     * @return the artifact to add if Weft publishes the backend, else what there is and what was probably meant
     */
    public static String whyAbsent(String name, Collection<String> here) {
        String artifact = ARTIFACTS.get(name);
        return artifact != null
                ? "backend " + name + " is not on the path; add the artifact " + artifact
                : "no backend named " + name + " is on the path or among the plug-ins; found: "
                        + String.join(", ", here) + Nearest.suggestion(name, here);
    }
}
