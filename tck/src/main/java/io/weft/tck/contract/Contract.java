package io.weft.tck.contract;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rules in the order of the contract. Immutable; safe from any thread. */
public final class Contract {
    private static final String PAGE = "contract.md";
    private static final Pattern ITEM = Pattern.compile(
            "- \\*\\*([A-Z]+-\\d+[a-z]?)\\*\\* \\((engine|backend|both|kv), ([a-z]+(?:\\([^)]*\\))?)\\) (.+)");

    private static final Pattern CODE = Pattern.compile("\\| (\\d+) \\| ([A-Z_]+) \\| ([A-Z_]+) \\| (\\d+) \\|.*");

    private final Map<String, Rule> rules;

    private final List<String> codes;

    private Contract(Map<String, Rule> rules, List<String> codes) {
        this.rules = rules;
        this.codes = codes;
    }

    /**
     * Reads the contract that this kit was built with.
     *
     * @return the contract
     */
    public static Contract load() {
        try (InputStream page = Contract.class.getResourceAsStream(PAGE)) {
            String text = new String(
                    Objects.requireNonNull(page, PAGE + " is missing in the kit's jar")
                            .readAllBytes(),
                    StandardCharsets.UTF_8);
            return parse(text);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /**
     * Reads a contract's page.
     *
     * @param page Markdown; each rule is one list item
     * @return the contract
     * @throws IllegalArgumentException for an id that occurs twice, or a list item under a rule heading that is no rule
     */
    public static Contract parse(String page) {
        Map<String, Rule> rules = new LinkedHashMap<>();
        List<String> codes = new ArrayList<>();
        String section = "";
        for (String line : page.lines().toList()) {
            Matcher row = CODE.matcher(line);
            if (row.matches()) {
                codes.add(row.group(1) + " " + row.group(2) + " " + row.group(3) + " " + row.group(4));
            } else if (line.startsWith("## ")) {
                section = line.substring(3);
            } else if (line.startsWith("- ")) {
                Matcher item = ITEM.matcher(line);
                if (!item.matches()) {
                    throw new IllegalArgumentException("contract: '" + line
                            + "' is no rule; a rule is written '- **ID** (owner, level) text' on one line");
                }
                Rule rule = new Rule(
                        item.group(1),
                        item.group(4),
                        Owner.valueOf(item.group(2).toUpperCase(Locale.ROOT)),
                        Level.parse(item.group(3)),
                        section);
                if (rules.put(rule.id(), rule) != null) {
                    throw new IllegalArgumentException("contract: rule " + rule.id() + " is there twice");
                }
            }
        }
        return new Contract(rules, List.copyOf(codes));
    }

    /**
     * All rules.
     *
     * @return in the order of the contract
     */
    public List<Rule> rules() {
        return List.copyOf(rules.values());
    }

    /**
     * The table of error codes.
     *
     * @return a row each, as {@code NUMBER NAME RETRY_CLASS MORI_CODE}
     */
    public List<String> codes() {
        return codes;
    }

    /**
     * Looks a rule up.
     *
     * @param id its id
     * @return the rule
     * @throws IllegalArgumentException if there is none of that id
     */
    public Rule rule(String id) {
        Rule rule = rules.get(id);
        if (rule == null) {
            throw new IllegalArgumentException("the contract has no rule " + id + "; its rules are " + rules.keySet());
        }
        return rule;
    }

    /**
     * The rules that ids and topics stand for.
     *
     * @param names ids, such as {@code WR-1}, and topics, such as {@code WR}, which stand for all their rules
     * @return ids, in the order given
     * @throws IllegalArgumentException if a name is neither
     */
    public List<String> select(List<String> names) {
        List<String> selected = new ArrayList<>();
        for (String name : names) {
            List<String> meant = rules.keySet().stream()
                    .filter(id -> id.equals(name) || id.startsWith(name + "-"))
                    .toList();
            if (meant.isEmpty()) {
                throw new IllegalArgumentException(
                        name + ": the contract has no such rule or topic; its rules are " + rules.keySet());
            }
            selected.addAll(meant);
        }
        return selected;
    }
}
