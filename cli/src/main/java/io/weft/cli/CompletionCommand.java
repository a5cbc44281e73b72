package io.weft.cli;

import java.util.Objects;
import picocli.AutoComplete;
import picocli.CommandLine.Command;

/** Prints a script that teaches a shell the command. */
@Command(
        name = "completion",
        description = "Print a completion script for bash and zsh. Use it by: source <(weft completion)")
final class CompletionCommand extends WeftCommand {
    @Override
    public Integer call() {
        out().print(AutoComplete.bash(
                "weft", Objects.requireNonNull(spec, "spec").root().commandLine()));
        return OK;
    }
}
