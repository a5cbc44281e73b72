package io.weft.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/** Standard output that remembers why it could not be written, which neither a PrintStream nor a PrintWriter tells. */
final class StandardOutput extends FilterOutputStream {
    private @Nullable IOException failure;

    StandardOutput() {
        this(new FileOutputStream(FileDescriptor.out));
    }

    StandardOutput(OutputStream out) {
        super(out);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        try {
            out.write(bytes, from, length);
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }

    @Override
    public void write(int single) throws IOException {
        write(new byte[] {(byte) single}, 0, 1);
    }

    /** The exit code of a command that would end with one, had all its words been taken. */
    int exit(int exit, PrintWriter err) {
        IOException why = failure;
        if (why == null) {
            return exit;
        }
        // A reader that has seen enough, such as head, wants no complaint.
        if (!"Broken pipe".equals(why.getMessage())) {
            err.println("weft: standard output cannot be written: " + why.getMessage());
        }
        return Math.max(exit, WeftCommand.FAILED);
    }
}
