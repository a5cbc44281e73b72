package io.weft.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * What every subcommand stands on. {@code call} returns the exit code, 0 or 1; it throws {@link io.weft.api.WeftException} for
 * what the user can mend and {@link #badUsage} for a wrong command line. Results go to {@link #out}, all else to
 * {@link #err}.
 */
abstract class WeftCommand implements Callable<Integer> {
    static final int OK = CommandLine.ExitCode.OK;
    static final int FAILED = CommandLine.ExitCode.SOFTWARE;

    @Spec
    @Nullable
    CommandSpec spec;

    /** The root command with the options that all share. */
    Main main() {
        return (Main) line().getCommandSpec().root().userObject();
    }

    PrintWriter out() {
        return line().getOut();
    }

    PrintWriter err() {
        return line().getErr();
    }

    ParameterException badUsage(String text) {
        return new ParameterException(line(), text);
    }

    private CommandLine line() {
        return Commands.line(spec);
    }
}
