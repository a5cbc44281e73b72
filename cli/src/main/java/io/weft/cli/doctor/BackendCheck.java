package io.weft.cli.doctor;

import io.weft.api.Verdict;
import io.weft.discovery.BackendEntry;
import io.weft.discovery.DeviceMemoryEntry;
import io.weft.discovery.Installation;
import io.weft.spi.Availability;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The configuration, the backends and the kinds of device memory, with the libraries and versions that their probes saw.
 *
 * @param installation probed
 * @param wanted backends that the configuration names; for them being unusable is a problem
 * @param takenSignals what {@link io.weft.ffi.SignalHandlers} saw the probes take
 */
record BackendCheck(Installation installation, Set<String> wanted, List<String> takenSignals) implements Check {
    private static final Set<Verdict> DEFECTS =
            Set.of(Verdict.LOAD_FAILED, Verdict.DUPLICATE_NAME, Verdict.INCOMPATIBLE, Verdict.ABSENT);

    @Override
    public List<Finding> run(Host host) {
        List<Finding> findings = new ArrayList<>();
        installation
                .configuration()
                .problems()
                .forEach(p -> findings.add(Finding.problem("configuration", p.toString(), "")));
        installation.configuration().warnings().forEach(w -> findings.add(Finding.warning("configuration", w, "")));
        if (findings.isEmpty()) {
            findings.add(Finding.ok("configuration", "every option is known and in range"));
        }
        List<BackendEntry> backends = installation.backends().entries();
        backends.stream()
                .filter(b -> isForUsers(b.className()))
                .map(this::backend)
                .forEach(findings::add);
        if (backends.stream().noneMatch(b -> b.isUsable() && isForUsers(b.className()))) {
            findings.add(Finding.problem(
                    "backends", "no backend can be used", "add io.weft:weft-backend-tcp, which always can"));
        }
        installation.deviceMemories().entries().stream()
                .filter(m -> isForUsers(m.className()))
                .map(BackendCheck::deviceMemory)
                .forEach(findings::add);
        findings.addAll(signals());
        return findings;
    }

    /** What the testkit brings works everywhere and tells nothing of this host. */
    private static boolean isForUsers(String className) {
        return !className.startsWith("io.weft.testkit.");
    }

    private Finding backend(BackendEntry b) {
        String area = "backend " + b.name();
        Optional<Availability> probe = b.availability();
        Finding finding;
        if (b.isUsable()) {
            finding =
                    Finding.ok(area, b.version() + " is usable, " + b.devices().size() + " devices");
        } else {
            boolean isRefused = b.refused().isPresent();
            String text =
                    isRefused ? b.reason() : probe.map(Availability::reason).orElse("");
            String advice = isRefused ? "" : probe.map(Availability::remedy).orElse("");
            boolean isDefect = b.refused().filter(DEFECTS::contains).isPresent();
            finding = wanted.contains(b.name()) || isDefect
                    ? Finding.problem(area, text, advice)
                    : Finding.warning(area, text, advice);
        }
        return finding.withEvidence(probe.map(Availability::evidence).orElse(List.of()));
    }

    private static Finding deviceMemory(DeviceMemoryEntry m) {
        String area = "memory " + m.name();
        Optional<Availability> probe = m.availability();
        Finding finding;
        if (m.isUsable()) {
            finding = Finding.ok(
                    area, "usable, " + probe.map(a -> a.devices().size()).orElse(0) + " devices");
        } else if (m.refused().isPresent()) {
            finding = Finding.problem(area, m.reason(), "");
        } else {
            // Most hosts have no GPU; that is no fault.
            finding = Finding.ok(area, "not here: " + m.reason());
        }
        return finding.withEvidence(probe.map(Availability::evidence).orElse(List.of()));
    }

    private List<Finding> signals() {
        if (takenSignals.isEmpty()) {
            return List.of(Finding.ok("signals", "no library took a signal handler of the virtual machine"));
        }
        return takenSignals.stream()
                .map(
                        line -> Finding.warning(
                                "signals",
                                line,
                                "the backend that loads the library puts the handler back; a program that loads it otherwise has to"))
                .toList();
    }
}
