package io.weft.cli;

import io.weft.api.WeftException;
import io.weft.config.ConfigurationException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.NoSuchFileException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns exceptions into one line on standard error and an exit code. */
final class Errors {
    private Errors() {}

    static int badUsage(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("weft: " + e.getMessage());
        if (!UnmatchedArgumentException.printSuggestions(e, err)) {
            err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        }
        return CommandLine.ExitCode.USAGE;
    }

    static int failed(Exception e, CommandLine command, boolean debug) {
        PrintWriter err = command.getErr();
        err.println("weft: " + text(e));
        if (debug) {
            e.printStackTrace(err);
        }
        return e instanceof ConfigurationException ? CommandLine.ExitCode.USAGE : CommandLine.ExitCode.SOFTWARE;
    }

    private static String text(Exception e) {
        return switch (e) {
            case WeftException known -> known.getMessage() + " [" + known.code() + "]";
            case NoSuchFileException missing -> "no such file: " + missing.getFile();
            case IOException io -> io.getClass().getSimpleName() + ": " + io.getMessage();
            default -> "defect in weft: " + e + "; --debug shows the stack trace";
        };
    }
}
