package io.weft.cli;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Bridges picocli's injected fields, which are null until a command line is parsed. */
final class Commands {
    private Commands() {}

    static CommandLine line(@Nullable CommandSpec spec) {
        return Objects.requireNonNull(spec, "picocli sets the spec before it runs a command")
                .commandLine();
    }
}
