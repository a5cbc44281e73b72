package io.weft.cli;

import io.weft.api.MemoryLocation;
import io.weft.cli.rank.RankProcess;
import io.weft.cli.rank.Role;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A prefill or decode rank as a process, driven by JSON lines on standard input. */
@Command(
        name = "rank",
        description =
                "Run one prefill or decode rank: reads JSON commands from standard input, writes JSON events to standard"
                        + " output, ends on quit or end of input. See docs/rank.md.")
final class RankCommand extends WeftCommand {
    @Option(names = "--role", required = true, paramLabel = "prefill|decode", description = "Side of the rank.")
    @Nullable
    Role role;

    @Option(
            names = "--bootstrap",
            required = true,
            paramLabel = "HOST:PORT",
            description = "Registry of the prefill ranks.")
    String bootstrap = "";

    @Option(names = "--layout", required = true, paramLabel = "FILE", description = "The rank's layout, JSON.")
    @Nullable
    Path layout;

    @Option(
            names = "--backend",
            paramLabel = "NAME",
            description = "Use this backend only. Default: what the configuration selects.")
    @Nullable
    String backend;

    @Option(
            names = "--memory",
            paramLabel = "KIND",
            defaultValue = "host",
            description = "Where KV and state buffers lie: host, cuda:0, hip:0, fake. Default: ${DEFAULT-VALUE}.")
    String memory = "host";

    @Override
    public Integer call() throws Exception {
        MemoryLocation location;
        try {
            location = MemoryLocation.parse(memory);
        } catch (IllegalArgumentException e) {
            throw badUsage(String.valueOf(e.getMessage()));
        }
        if (role == null || layout == null) {
            throw badUsage("--role and --layout are required");
        }
        RankProcess.run(
                role,
                bootstrap,
                layout,
                location,
                () -> DeviceMemories.open(main().installation(), location),
                backend,
                main().sources(),
                main().installation().configuration().orThrow(),
                System.in,
                System.out);
        return OK;
    }
}
