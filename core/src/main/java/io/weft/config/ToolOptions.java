package io.weft.config;

import io.weft.spi.OptionSpec;
import io.weft.spi.OptionSpec.Type;
import java.util.List;

/** Options that concern the process as a whole: where files, plug-ins and logs are, and which backends may be used. */
public final class ToolOptions {
    /** Where the configuration file is. */
    public static final String CONFIG = "config";
    /** Where the distribution is. */
    public static final String HOME = "home";
    /** Where plug-ins are. */
    public static final String PLUGINS = "plugins";
    /** How much is logged by the command. */
    public static final String LOG_LEVEL = "log.level";
    /** Which backends may be used, all if empty. */
    public static final String ALLOW = "backends.allow";
    /** Which backends may not be used. */
    public static final String DENY = "backends.deny";
    /** How long one provider may take to construct and to probe. */
    public static final String PROVIDER_TIMEOUT = "backends.provider-timeout";

    /** How much memory is going to be registered. */
    public static final String PLANNED_MEMORY = "memory.planned";

    /** The options as a group of the catalogue. */
    public static final OptionGroup GROUP = new OptionGroup(
            "weft",
            "weft.",
            "the process: files, plug-ins, logging, which backends may be used",
            List.of(
                    OptionSpec.of(
                            CONFIG,
                            Type.STRING,
                            "",
                            "The configuration file (HOCON). Without it weft.conf in the working directory is read if it exists."),
                    OptionSpec.of(
                            HOME,
                            Type.STRING,
                            "",
                            "Where the distribution was unpacked. The launcher finds it itself."),
                    OptionSpec.of(
                            PLUGINS,
                            Type.STRING,
                            "",
                            "A directory whose subdirectories, and single jars, are plug-ins. Empty means plugins in the distribution."),
                    OptionSpec.choice(
                            LOG_LEVEL,
                            "warn",
                            List.of("error", "warn", "info", "debug", "trace"),
                            "How much the weft command logs to standard error."),
                    OptionSpec.of(
                            ALLOW, Type.LIST, "", "Names of the only backends that may be used. Empty means all."),
                    OptionSpec.of(
                            DENY,
                            Type.LIST,
                            "",
                            "Names or provider class names of backends that may not be used; wins over the allow list."),
                    OptionSpec.of(
                                    PROVIDER_TIMEOUT,
                                    Type.DURATION,
                                    "15s",
                                    "How long constructing a provider, and its probe, may take before it is given up and reported.")
                            .withRange(10_000_000L, 600_000_000_000L),
                    OptionSpec.of(
                                    PLANNED_MEMORY,
                                    Type.BYTES,
                                    "0B",
                                    "How much memory the application is going to register in all. weft doctor holds it against"
                                            + " the limits of the host; nothing else uses it.")
                            .withRange(0, Long.MAX_VALUE),
                    OptionSpec.of(
                            "uml-kernel",
                            Type.STRING,
                            "",
                            "A user-mode Linux kernel with RDMA, for the Soft-RoCE tests. Used by weft verify only.")));

    private ToolOptions() {}
}
