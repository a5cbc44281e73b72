package io.weft.cli;

import io.weft.api.MemoryLocation;
import io.weft.cli.doctor.Doctor;
import io.weft.cli.doctor.Finding;
import io.weft.cli.doctor.Finding.Level;
import io.weft.cli.doctor.Host;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Looks at the host as the configuration would use it. */
@Command(
        name = "doctor",
        description = "Look at this host for what would stop or slow transfers. Exits with 1 if there is a problem.")
final class DoctorCommand extends WeftCommand {
    @Option(names = "--json", description = "Print JSON.")
    boolean json;

    @Option(
            names = "--memory",
            paramLabel = "KIND",
            description = "Also take bytes to this memory and back: host, cuda:0, hip:0, fake.")
    @Nullable
    String memory;

    private MemoryLocation location(String text) {
        try {
            return MemoryLocation.parse(text);
        } catch (IllegalArgumentException e) {
            throw badUsage("--memory " + text + ": " + e.getMessage());
        }
    }

    @Override
    public Integer call() {
        List<Finding> findings = new ArrayList<>(Doctor.examine(Host.local(), main().installation()));
        if (memory != null) {
            findings.add(DeviceTrial.run(main().installation(), location(memory)));
        }
        long problems = count(findings, Level.PROBLEM);
        if (json) {
            Map<String, Object> report = new LinkedHashMap<>();
            report.put("problems", problems);
            report.put("warnings", count(findings, Level.WARNING));
            report.put("findings", findings.stream().map(DoctorCommand::asMap).toList());
            out().println(Json.write(report));
        } else {
            for (Finding f : findings) {
                out().printf("%-8s %s: %s%n", f.level(), f.area(), f.text());
                if (!f.advice().isEmpty()) {
                    out().printf("%-8s   -> %s%n", "", f.advice());
                }
                f.evidence().forEach(line -> out().printf("%-8s   seen: %s%n", "", line));
            }
            out().printf("%d problems, %d warnings%n", problems, count(findings, Level.WARNING));
        }
        return problems == 0 ? OK : FAILED;
    }

    private static long count(List<Finding> findings, Level level) {
        return findings.stream().filter(f -> f.level() == level).count();
    }

    private static Map<String, Object> asMap(Finding finding) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("level", finding.level().toString());
        map.put("area", finding.area());
        map.put("text", finding.text());
        map.put("advice", finding.advice());
        map.put("evidence", finding.evidence());
        return map;
    }
}
