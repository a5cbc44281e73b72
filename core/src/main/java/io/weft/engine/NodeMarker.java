package io.weft.engine;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The {@code nodeId} of a Weft engine: {@code NODE;weft=MAJOR.MINOR;inc=16HEX}. A peer whose {@code nodeId} has no such
 * suffix is a plain MORI-IO engine and is never sent anything that MORI does not know.
 *
 * <p>Immutable; safe from any thread.
 *
 * @param node which machine: the configured node id, else the kernel's boot id; engines with the same one share a machine
 * @param wireMajor wire version that the engine speaks, see rule VER-1
 * @param wireMinor wire version that the engine speaks
 * @param incarnation 64 random bits, drawn anew at each start, never 0
 * @since 0.1
 */
public record NodeMarker(String node, int wireMajor, int wireMinor, long incarnation) {
    /** Longest {@code nodeId} that is searched for a marker. */
    private static final int MAX_CHARS = 4_096;

    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
    /** The last marker wins, so that a configured node id cannot forge one; later minors may append further fields. */
    private static final Pattern FORMAT =
            Pattern.compile("(.*);weft=(\\d{1,5})\\.(\\d{1,5});inc=([0-9a-f]{16})(?:;.*)?", Pattern.DOTALL);

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if a version is negative or over 99 999, or the incarnation is 0
     */
    public NodeMarker {
        Objects.requireNonNull(node, "node");
        if (wireMajor < 0 || wireMajor > 99_999 || wireMinor < 0 || wireMinor > 99_999) {
            throw new IllegalArgumentException(
                    "wire version " + wireMajor + "." + wireMinor + ": both parts must be 0 to 99999");
        }
        if (incarnation == 0) {
            throw new IllegalArgumentException("incarnation 0 stands for plain MORI-IO engines; draw another");
        }
    }

    /**
     * Reads a {@code nodeId}.
     *
     * @param nodeId as found in an {@link io.weft.api.EngineDescriptor}
     * @return the marker, empty for a plain MORI-IO engine
     */
    public static Optional<NodeMarker> parse(String nodeId) {
        if (nodeId.length() > MAX_CHARS) {
            return Optional.empty();
        }
        Matcher m = FORMAT.matcher(nodeId);
        if (!m.matches()) {
            return Optional.empty();
        }
        long incarnation = HexFormat.fromHexDigitsToLong(m.group(4));
        return incarnation == 0
                ? Optional.empty()
                : Optional.of(new NodeMarker(
                        m.group(1), Integer.parseInt(m.group(2)), Integer.parseInt(m.group(3)), incarnation));
    }

    /**
     * Writes the {@code nodeId}.
     *
     * @return the text that {@link #parse} reads
     */
    public String format() {
        return node + ";weft=" + wireMajor + "." + wireMinor + ";inc="
                + HexFormat.of().toHexDigits(incarnation);
    }

    /**
     * Names this machine as MORI-IO does: what is configured, else the kernel's boot id, else the host's name. Reads a file
     * of the kernel, so call it once.
     *
     * @param configured the value of {@code MORI_NODE_ID} or its option; null or empty when unset
     * @return a node name
     */
    public static String localNode(@Nullable String configured) {
        if (configured != null && !configured.isEmpty()) {
            return configured;
        }
        try {
            return Files.readString(BOOT_ID).strip();
        } catch (IOException noSuchKernelFile) {
            return hostname();
        }
    }

    private static String hostname() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (IOException unresolvable) {
            return "localhost";
        }
    }
}
