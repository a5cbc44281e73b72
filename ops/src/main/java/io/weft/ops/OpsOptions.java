package io.weft.ops;

import io.weft.config.OptionGroup;
import io.weft.config.OptionSource;
import io.weft.spi.OptionSpec;
import io.weft.spi.OptionSpec.Type;
import java.util.List;

/**
 * Options of the operations endpoint, keys relative to {@code weft.ops.}. Immutable; safe from any thread.
 *
 * @since 0.1
 */
public final class OpsOptions implements OptionSource {
    /** Address to listen on. */
    public static final String HOST = "host";
    /** Port to listen on. */
    public static final String PORT = "port";
    /** The port that means: do not listen. */
    public static final int OFF = -1;

    /** The options as a group of the catalogue. */
    public static final OptionGroup GROUP = new OptionGroup(
            "ops",
            "weft.ops.",
            "the operations endpoint of weft rank and weft bootstrap",
            List.of(
                    OptionSpec.of(
                            HOST,
                            Type.STRING,
                            "127.0.0.1",
                            "Address on which metrics, health and pictures are served. Anything but loopback needs a secret."),
                    OptionSpec.integer(
                            PORT,
                            OFF,
                            OFF,
                            65_535,
                            "TCP port of the operations endpoint; 0 lets the system choose, -1 serves nothing.")));

    /** For the service loader. */
    public OpsOptions() {}

    @Override
    public List<OptionGroup> groups() {
        return List.of(GROUP);
    }
}
