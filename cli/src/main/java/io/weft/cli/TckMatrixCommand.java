package io.weft.cli;

import io.weft.tck.report.SupportMatrix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Renders the support matrix. */
@Command(
        name = "matrix",
        description = "Write a page in Markdown from certificates: which backend keeps which rules of the contract.")
final class TckMatrixCommand extends WeftCommand {
    @Parameters(arity = "1..*", paramLabel = "CERTIFICATE", description = "Each column's certificate.json.")
    List<Path> certificates = new ArrayList<>();

    @Option(
            names = "--page",
            paramLabel = "FILE",
            description = "Where to write it; without this it is printed, with links from the current directory.")
    @Nullable
    Path page;

    @Override
    public Integer call() throws IOException {
        for (Path file : certificates) {
            if (!Files.isReadable(file)) {
                throw badUsage(file + ": no such file can be read");
            }
        }
        Path file = (page == null ? Path.of("page") : page).toAbsolutePath();
        String rendered = SupportMatrix.render(certificates, Objects.requireNonNull(file.getParent(), "not a root"));
        if (page == null) {
            out().print(rendered);
        } else {
            Files.writeString(page, rendered);
        }
        return OK;
    }
}
