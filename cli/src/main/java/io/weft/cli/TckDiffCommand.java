package io.weft.cli;

import io.weft.tck.report.Certificate;
import io.weft.tck.report.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Compares two certificates. */
@Command(name = "diff", description = "Compare two certificates; fails if a rule that passed in A does not pass in B.")
final class TckDiffCommand extends WeftCommand {
    @Parameters(index = "0", paramLabel = "A", description = "The older certificate.json.")
    @Nullable
    Path before;

    @Parameters(index = "1", paramLabel = "B", description = "The newer certificate.json.")
    @Nullable
    Path after;

    @Override
    public Integer call() throws IOException {
        if (before == null || after == null) {
            throw badUsage("two certificates are needed");
        }
        Map<String, Verdict> old = Certificate.readVerdicts(before);
        Map<String, Verdict> now = Certificate.readVerdicts(after);
        int lost = 0;
        for (Map.Entry<String, Verdict> entry : old.entrySet()) {
            Verdict is = now.get(entry.getKey());
            if (is != entry.getValue()) {
                boolean isLost = entry.getValue() == Verdict.PASSED;
                lost += isLost ? 1 : 0;
                out().println((isLost ? "lost    " : "changed ") + entry.getKey() + ": "
                        + entry.getValue().text() + " -> " + (is == null ? "not there" : is.text()));
            }
        }
        now.forEach((rule, is) -> {
            if (!old.containsKey(rule)) {
                out().println("new     " + rule + ": " + is.text());
            }
        });
        out().println(lost + " rules lost");
        return lost == 0 ? OK : FAILED;
    }
}
