package io.weft.api;

import java.util.Objects;

/**
 * How to reach an engine. Packs to the bytes of MORI-IO's {@code EngineDesc} (rule DSC-1).
 *
 * <p>Immutable; safe from any thread. The format has six fields and grows only by trailing ones, which readers ignore.
 *
 * @param key the engine's wire key: its configured name, {@code -}, and 8 hex digits of the incarnation, unless an exact
 *     key was configured
 * @param nodeId the node's identity; a Weft engine appends {@code ;weft=MAJOR.MINOR;inc=16HEX}, a plain MORI engine does not
 * @param hostname the host's name, for people
 * @param host numeric address to dial, never a wildcard
 * @param port TCP port, 0 to 65535 (1 is MORI's "no network" sentinel)
 * @param pid process id, 0 when unknown
 * @since 0.1
 */
public record EngineDescriptor(String key, String nodeId, String hostname, String host, int port, int pid) {
    /** Checks for null; values of any length are carried as they are, limits are the codec's. */
    public EngineDescriptor {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(nodeId, "nodeId");
        Objects.requireNonNull(hostname, "hostname");
        Objects.requireNonNull(host, "host");
    }
}
