package io.weft.tck.report;

import io.weft.tck.contract.Contract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Rules that a backend is known not to keep. One a line: rule, expiry, issue, reason, separated by blanks, the reason last and as
 * long as it wants; lines that begin with {@code #} are comments.
 */
public final class Exclusions {
    /**
     * One of them.
     *
     * @param rule the rule's id
     * @param expires last day on which it counts
     * @param issue where it is worked on
     * @param reason why
     */
    public record Exclusion(String rule, LocalDate expires, String issue, String reason) {
        @Override
        public String toString() {
            return reason + " (" + issue + ", until " + expires + ")";
        }
    }

    /** None. */
    public static final Exclusions NONE = new Exclusions(Map.of());

    private final Map<String, Exclusion> byRule;

    private Exclusions(Map<String, Exclusion> byRule) {
        this.byRule = byRule;
    }

    /**
     * Reads a file.
     *
     * @param file the file
     * @return the exclusions, expired ones included
     * @throws IOException if the file cannot be read
     * @throws IllegalArgumentException naming the line that is wrong
     */
    public static Exclusions read(Path file) throws IOException {
        Contract contract = Contract.load();
        Map<String, Exclusion> byRule = new LinkedHashMap<>();
        int number = 0;
        for (String line : Files.readAllLines(file)) {
            number++;
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] parts = line.trim().split("\\s+", 4);
            if (parts.length < 4) {
                throw new IllegalArgumentException(
                        file + ", line " + number + ": '" + line + "' must be RULE EXPIRY ISSUE REASON");
            }
            try {
                String rule = contract.rule(parts[0]).id();
                byRule.put(rule, new Exclusion(rule, LocalDate.parse(parts[1]), parts[2], parts[3]));
            } catch (DateTimeParseException notADate) {
                throw new IllegalArgumentException(
                        file + ", line " + number + ": '" + parts[1] + "' must be a date such as 2027-01-31", notADate);
            } catch (IllegalArgumentException noRule) {
                throw new IllegalArgumentException(file + ", line " + number + ": " + noRule.getMessage(), noRule);
            }
        }
        return new Exclusions(byRule);
    }

    /**
     * Looks one up.
     *
     * @param rule the rule's id
     * @return the exclusion, also when it has expired
     */
    public Optional<Exclusion> of(String rule) {
        return Optional.ofNullable(byRule.get(rule));
    }
}
