package io.weft.cli;

import io.weft.api.WeftException;
import io.weft.config.ConfigurationException;
import io.weft.config.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns exceptions into one line on standard error and an exit code. */
final class Errors {
    private Errors() {}

    static int badUsage(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("weft: " + Printable.escaped(String.valueOf(e.getMessage())));
        if (!UnmatchedArgumentException.printSuggestions(e, err)) {
            err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        }
        return CommandLine.ExitCode.USAGE;
    }

    static int failed(Throwable e, CommandLine command, boolean debug) {
        PrintWriter err = command.getErr();
        err.println("weft: " + oneLine(text(e)));
        if (debug) {
            e.printStackTrace(err);
        }
        return e instanceof ConfigurationException ? CommandLine.ExitCode.USAGE : CommandLine.ExitCode.SOFTWARE;
    }

    /** Configurations list their errors on lines of their own; nothing else of a text may break the line or turn it round. */
    private static String oneLine(String text) {
        return text.lines().map(Printable::escaped).collect(Collectors.joining("\n"));
    }

    private static String text(Throwable e) {
        return switch (e) {
            case WeftException known -> known.getMessage() + " [" + known.code() + "]";
            case NoSuchFileException missing -> "no such file: " + missing.getFile();
            case AccessDeniedException denied -> "no permission: " + denied.getFile();
            case FileSystemException file when file.getReason() != null -> file.getFile() + ": " + file.getReason();
            case FileSystemException file -> file.getClass().getSimpleName() + ": " + file.getFile();
            case IOException io
            when io.getClass() == IOException.class && io.getMessage() != null -> String.valueOf(io.getMessage());
            case IOException io -> io.getClass().getSimpleName() + ": " + io.getMessage();
            case OutOfMemoryError memory -> "out of memory: " + memory.getMessage() + "; give the JVM more by -Xmx";
            default -> "defect in weft: " + e + "; --debug shows the stack trace";
        };
    }
}
