package io.weft.cli;

import io.weft.discovery.BackendCatalogue;
import io.weft.tck.Profile;
import io.weft.tck.Tck;
import io.weft.tck.TckConfig;
import io.weft.tck.contract.Contract;
import io.weft.tck.report.Certificate;
import io.weft.tck.report.Results;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the compatibility kit over a backend and writes its certificate. */
@Command(
        name = "tck",
        description = "Prove the transfer contract for a backend and write a certificate.",
        subcommands = {TckDiffCommand.class, TckMatrixCommand.class})
final class TckCommand extends WeftCommand {
    @Option(names = "--backend", paramLabel = "NAME", description = "The backend under test.")
    @Nullable
    String backend;

    @Option(
            names = "--option",
            paramLabel = "KEY=VALUE",
            description = "An option of the backend, without its prefix; may be given more than once.")
    Map<String, String> options = new LinkedHashMap<>();

    @Option(
            names = "--memory",
            paramLabel = "KIND",
            description = "Only this memory kind, instead of all that are declared.")
    @Nullable
    String memory;

    @Option(
            names = "--rules",
            paramLabel = "ID",
            split = ",",
            description = "Only these rules, such as WR-1, and topics, such as WR, separated by commas.")
    List<String> rules = List.of();

    @Option(
            names = "--profile",
            paramLabel = "PROFILE",
            description = "quick, standard (the default) or full.",
            defaultValue = "standard")
    Profile profile = Profile.STANDARD;

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description = "Directory for certificate.json, index.html and JUnit XML.")
    @Nullable
    Path report;

    @Option(
            names = "--exclusions",
            paramLabel = "FILE",
            description = "Rules known not to hold, one a line: RULE EXPIRY ISSUE REASON.")
    @Nullable
    Path exclusions;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of everything random; printed by every run.")
    @Nullable
    Long seed;

    @Option(names = "--scale", paramLabel = "X", description = "Factor on all waiting times.", defaultValue = "1")
    double scale = 1;

    @Override
    public Integer call() {
        TckConfig config = config();
        Logging.insteadOfWarnings("off"); // rules also break backends, and the report has what each failure says
        out().println("weft tck: backend " + config.backend() + ", profile "
                + config.profile().name().toLowerCase(Locale.ROOT) + ", seed " + config.seed());
        out().flush();
        Results results = Tck.run(config);
        results.write();
        Certificate certificate = results.certificate();
        List<String> shortcomings = results.shortcomings();
        shortcomings.forEach(text -> out().println(text + System.lineSeparator()));
        out().println(certificate.statement());
        certificate.notes().stream()
                .filter(note -> !shortcomings.contains(note))
                .forEach(out()::println);
        out().println(certificate.counts() + ", " + results.cases().size() + " cases; report in "
                + config.report().orElseThrow());
        return shortcomings.isEmpty() ? OK : FAILED;
    }

    private List<String> selected() {
        try {
            return Contract.load().select(rules);
        } catch (IllegalArgumentException unknown) {
            throw badUsage("--rules " + unknown.getMessage());
        }
    }

    private TckConfig config() {
        if (backend == null || report == null) {
            throw badUsage("--backend and --report are needed, as in: weft tck --backend tcp --report tck-tcp");
        }
        String name = backend;
        BackendCatalogue catalogue = main().installation().backends();
        if (catalogue.find(name).isEmpty()) {
            throw badUsage("--backend " + name + ": no such backend can be loaded; weft backends lists them");
        }
        List<String> selected = selected();
        if (exclusions != null && !Files.isReadable(exclusions)) {
            throw badUsage("--exclusions " + exclusions + ": no such file can be read");
        }
        return new TckConfig(
                name,
                options,
                Optional.ofNullable(memory),
                selected,
                profile,
                Optional.of(report),
                Optional.ofNullable(exclusions),
                seed == null ? ThreadLocalRandom.current().nextLong() : seed,
                scale,
                Optional.empty());
    }
}
