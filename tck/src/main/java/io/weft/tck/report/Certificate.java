package io.weft.tck.report;

import io.weft.spi.Capabilities;
import io.weft.spi.SpiLevel;
import io.weft.tck.TckConfig;
import io.weft.tck.contract.Level;
import io.weft.tck.contract.Rule;
import io.weft.tck.harness.Facts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a run proved. Immutable.
 *
 * @param statement the first line: what must not be overlooked
 * @param passed whether every required rule passed or is excluded
 * @param header provider, versions, platform, options, profile and seed, as they are written
 * @param rules a verdict for each rule of the contract, in its order
 * @param notes warnings
 * @param workLeft what is left to do on the backend, in the order of the guide
 */
public record Certificate(
        String statement,
        boolean passed,
        Map<String, Object> header,
        List<RuleVerdict> rules,
        List<String> notes,
        WorkLeft workLeft) {
    /**
     * What is said of one rule.
     *
     * @param rule the rule
     * @param verdict the verdict
     * @param cases cases that were tried
     * @param seconds how long they took together
     * @param reason why, empty for a rule that passed
     */
    public record RuleVerdict(Rule rule, Verdict verdict, int cases, double seconds, String reason) {
        /**
         * Whether the run needs it to pass.
         *
         * @return false for untestable rules and capabilities that are not declared
         */
        public boolean isRequired() {
            Level.Kind kind = rule.level().kind();
            return kind == Level.Kind.MUST
                    || kind == Level.Kind.STOCHASTIC
                    || kind == Level.Kind.CAP && verdict != Verdict.NOT_APPLICABLE;
        }

        /**
         * Whether it stands in the way of success.
         *
         * @return true for a required rule that neither passed nor is excluded
         */
        public boolean isMissing() {
            return isRequired() && verdict != Verdict.PASSED && verdict != Verdict.EXCLUDED;
        }
    }

    private static final long LONG_QUIESCE_SECONDS = 5;
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final JsonMapper INDENTED =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    static Certificate of(
            TckConfig config, @Nullable Facts facts, List<RuleVerdict> rules, List<String> notes, WorkLeft left) {
        List<String> all = new ArrayList<>(notes);
        if (facts != null && facts.capabilities().quiesceTime().toSeconds() > LONG_QUIESCE_SECONDS) {
            all.add("quiesce time is " + facts.capabilities().quiesceTime() + ", over " + LONG_QUIESCE_SECONDS
                    + " s (DL-1)");
        }
        boolean passed = notes.isEmpty() && rules.stream().noneMatch(RuleVerdict::isMissing);
        return new Certificate(
                statement(config, facts, rules, passed, left), passed, header(config, facts), rules, all, left);
    }

    private static String statement(
            TckConfig config, @Nullable Facts facts, List<RuleVerdict> rules, boolean passed, WorkLeft left) {
        List<String> parts = new ArrayList<>();
        left.next()
                .ifPresent(next -> parts.add("UNFINISHED: next is step "
                        + next.step().number() + ", " + next.step().title() + ", with " + next.method()));
        List<String> excluded = ids(rules, Verdict.EXCLUDED);
        List<String> notRun = ids(rules, Verdict.NOT_RUN);
        if (!notRun.isEmpty()) {
            parts.add("PARTIAL: " + notRun.size() + " rules not run");
        }
        if (!excluded.isEmpty()) {
            parts.add("WITH EXCLUSIONS: " + String.join(", ", excluded));
        }
        if (facts != null && facts.capabilities().enforcement() == Capabilities.Enforcement.INITIATOR) {
            parts.add("TRUSTS ITS PEERS: enforcement=INITIATOR");
        }
        List<String> failed = ids(rules, Verdict.FAILED);
        parts.add(passed ? "passed" : failed.isEmpty() ? "not passed" : "failed: " + String.join(", ", failed));
        return config.backend() + ": " + String.join("; ", parts);
    }

    private static List<String> ids(List<RuleVerdict> rules, Verdict verdict) {
        return rules.stream()
                .filter(r -> r.verdict() == verdict)
                .map(r -> r.rule().id())
                .toList();
    }

    private static Map<String, Object> header(TckConfig config, @Nullable Facts facts) {
        Map<String, Object> header = new LinkedHashMap<>();
        header.put("provider", config.backend());
        Map<String, String> versions = new LinkedHashMap<>();
        versions.put("provider", facts == null ? "unknown" : facts.version());
        versions.put("tck", Versions.ofKit());
        versions.put("java", Runtime.version().toString());
        header.put("versions", versions);
        header.put("spiLevel", facts == null ? SpiLevel.running().toString() : facts.spiLevel());
        header.put("source", facts == null ? "unknown" : facts.source());
        header.put(
                "enforcement",
                facts == null ? "unknown" : facts.capabilities().enforcement().name());
        header.put("platform", Versions.platform());
        header.put("options", new TreeMap<>(config.options()));
        header.put(
                "memory",
                facts == null
                        ? List.of()
                        : facts.pairs().stream().map(Facts.Kinds::toString).toList());
        header.put("profile", config.profile().name().toLowerCase(Locale.ROOT));
        header.put("seed", config.seed());
        header.put("time", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        return header;
    }

    /**
     * How many rules got each verdict.
     *
     * @return such as {@code 80 passed, 2 not-applicable}
     */
    public String counts() {
        return rules.stream()
                .collect(Collectors.groupingBy(RuleVerdict::verdict, TreeMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .map(e -> e.getValue() + " " + e.getKey().text())
                .collect(Collectors.joining(", "));
    }

    /**
     * Writes it as JSON; its first line is the statement.
     *
     * @param file where to
     * @throws IOException if the file cannot be written
     */
    public void write(Path file) throws IOException {
        Map<String, Object> body = new LinkedHashMap<>();
        if (!workLeft.items().isEmpty()) {
            body.put("workLeft", workLeft.asList());
        }
        body.putAll(header);
        body.put("passed", passed);
        body.put("notes", notes);
        body.put("rules", rules.stream().map(Certificate::asMap).toList());
        String rest = INDENTED.writeValueAsString(body).substring(1);
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, "{\"statement\": " + JSON.writeValueAsString(statement) + "," + rest + "\n");
    }

    private static Map<String, Object> asMap(RuleVerdict v) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("id", v.rule().id());
        map.put("text", v.rule().text());
        map.put("owner", v.rule().owner().name().toLowerCase(Locale.ROOT));
        map.put("level", v.rule().level().toString());
        map.put("verdict", v.verdict().text());
        map.put("cases", v.cases());
        map.put("duration", Math.round(v.seconds() * 1000) / 1000.0);
        map.put("reason", v.reason());
        return map;
    }

    /**
     * Reads the verdicts of a certificate.
     *
     * @param file a certificate in JSON
     * @return rule ids and verdicts in the order of the file
     * @throws IOException if the file cannot be read
     */
    public static Map<String, Verdict> readVerdicts(Path file) throws IOException {
        Map<String, Verdict> verdicts = new LinkedHashMap<>();
        JSON.readTree(Files.readString(file))
                .path("rules")
                .forEach(rule -> verdicts.put(
                        rule.path("id").asString(),
                        Verdict.of(rule.path("verdict").asString())));
        return verdicts;
    }
}
