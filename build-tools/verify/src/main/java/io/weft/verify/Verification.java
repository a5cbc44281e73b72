package io.weft.verify;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** One run: installs packages, runs the parts in turn, reports. */
final class Verification {

    private final Options options;
    private final List<Part> parts;
    private final PartRunner runner;
    private final Packages packages;
    private final Path installLog;
    private final PrintStream out;
    private final Set<String> broken = new TreeSet<>();
    private final Tally tally = new Tally();
    private final long began = System.nanoTime();

    Verification(
            Options options, List<Part> parts, PartRunner runner, Packages packages, Path installLog, PrintStream out) {
        this.options = options;
        this.parts = parts;
        this.runner = runner;
        this.packages = packages;
        this.installLog = installLog;
        this.out = out;
    }

    /** True if nothing failed and nothing was left out because of a failure. */
    boolean run() throws IOException, InterruptedException {
        out.printf(
                "verify, size %s: %d parts, budget %s%n",
                options.size(), parts.size(), Text.time(options.size().budget()));
        Set<String> missing = providePackages();
        for (Part part : parts) {
            out.printf("  %-12s %-62s ", part.name(), part.title());
            out.flush();
            long partBegan = System.nanoTime();
            Tally own = new Tally();
            own.add(checks(part, missing));
            out.printf("%-32s %s%n", own.line(), Text.time(Duration.ofNanos(System.nanoTime() - partBegan)));
            tally.add(own);
        }
        Duration took = elapsed();
        out.printf(
                "%nTook %s of %s.%n", Text.time(took), Text.time(options.size().budget()));
        if (took.compareTo(options.size().bound()) > 0) {
            tally.add(Check.failed(
                    "verify: time",
                    "took " + Text.time(took) + ", more than one and a half times "
                            + Text.time(options.size().budget()),
                    took));
        }
        tally.print(out);
        out.println();
        out.println(tally.line());
        return tally.count(Check.Outcome.FAILED) == 0 && tally.count(Check.Outcome.NOT_RUN) == 0;
    }

    private List<Check> checks(Part part, Set<String> missing) throws IOException, InterruptedException {
        String name = part.name() + ": " + part.title();
        if (elapsed().compareTo(options.size().bound()) > 0) {
            return List.of(Check.failed(name, "not run, because the time for all parts was over", Duration.ZERO));
        }
        Set<String> missingProducts = both(part.after(), broken);
        if (!missingProducts.isEmpty()) {
            return List.of(Check.notRun(name, "not run: " + String.join(", ", missingProducts) + " failed"));
        }
        List<Check> checks = new ArrayList<>();
        Set<String> lacking = both(part.needs(), missing);
        if (!lacking.isEmpty()) {
            checks.add(lack(name, lacking));
            return checks;
        }
        List<String> unset =
                part.given().stream().filter(variable -> !isSet(variable)).toList();
        if (!unset.isEmpty()) {
            return List.of(Check.skipped(name, "not set: " + String.join(", ", unset)));
        }
        PartRunner.Outcome outcome = runner.run(part);
        checks.addAll(outcome.checks());
        if (outcome.broken()) {
            broken.add(part.name());
        }
        Set<String> wanting = both(part.wants(), missing);
        if (!wanting.isEmpty() && options.skipsFail()) {
            checks.add(lack(name, wanting));
        }
        return checks;
    }

    private static boolean isSet(String variable) {
        String value = System.getenv(variable);
        return value != null && !value.isEmpty();
    }

    private Check lack(String name, Set<String> lacking) {
        String reason = "needs Debian packages: " + Packages.command(lacking);
        return options.skipsFail() ? Check.failed(name, reason, Duration.ZERO) : Check.skipped(name, reason);
    }

    /** Returns what is still missing after installing, if that was asked for. */
    private Set<String> providePackages() throws IOException, InterruptedException {
        Set<String> wanted = new TreeSet<>();
        for (Part part : parts) {
            wanted.addAll(part.needs());
            wanted.addAll(part.wants());
        }
        Set<String> missing = packages.missing(wanted);
        if (missing.isEmpty()) {
            return missing;
        }
        if (!options.install()) {
            out.println("  Some checks need Debian packages that are not installed (--install installs them):");
            out.println("      " + Packages.command(missing));
            return missing;
        }
        out.println("  installing " + String.join(" ", missing));
        if (!packages.install(missing, installLog)) {
            out.println("  that failed; see " + installLog);
        }
        return packages.missing(missing);
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - began);
    }

    private static Set<String> both(Collection<String> one, Set<String> other) {
        Set<String> both = new TreeSet<>(one);
        both.retainAll(other);
        return both;
    }
}
