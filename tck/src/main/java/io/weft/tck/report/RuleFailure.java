package io.weft.tck.report;

import io.weft.tck.TckConfig;
import io.weft.tck.contract.Contract;
import io.weft.tck.contract.Rule;
import io.weft.tck.harness.Case;
import io.weft.tck.harness.Run;
import java.util.Locale;

/** A rule did not hold: says which, what was seen, how to see it again, and where to look. */
public final class RuleFailure extends AssertionError {
    private static final long serialVersionUID = 1L;

    /** What was seen, without the rest. */
    private final String seen;

    /**
     * Creates it.
     *
     * @param run the run
     * @param rule the rule's id
     * @param permutation the case
     * @param state both sides' state, may be empty
     * @param cause what the test threw
     */
    public RuleFailure(Run run, String rule, Case permutation, String state, Throwable cause) {
        super(text(run, rule, permutation, state, cause), cause);
        this.seen = seen(cause);
    }

    /**
     * Whether the rule itself may have held, and a promise between core and backend did not.
     *
     * @return true if so
     */
    boolean isBrokenPromise() {
        return getCause() instanceof BrokenPromise;
    }

    private static String seen(Throwable cause) {
        String message = cause.getMessage();
        return cause instanceof AssertionError && message != null ? message : cause.toString();
    }

    /**
     * What was seen.
     *
     * @return one or two sentences
     */
    public String seen() {
        return seen;
    }

    private static String text(Run run, String id, Case permutation, String state, Throwable cause) {
        Rule rule = Contract.load().rule(id);
        StringBuilder text = new StringBuilder(seen(cause))
                .append("\n  rule   ")
                .append(id)
                .append(" (")
                .append(rule.owner().name().toLowerCase(Locale.ROOT))
                .append(", ")
                .append(rule.level())
                .append("): ")
                .append(rule.text())
                .append("\n  case   ")
                .append(permutation)
                .append("\n  seed   ")
                .append(run.config().seed())
                .append("\n  again  ")
                .append(again(run.config(), id));
        for (String hint : cause instanceof BrokenPromise ? BrokenPromise.HINTS : Hints.of(id)) {
            text.append("\n  check first: ").append(hint);
        }
        if (!state.isBlank()) {
            text.append("\n  state of both sides:\n").append(state.indent(4));
        }
        return text.toString();
    }

    /** The command line that tries one rule again with the same seed. */
    static String again(TckConfig config, String rule) {
        StringBuilder line = new StringBuilder("weft tck --backend ").append(config.backend());
        config.options()
                .forEach((key, value) ->
                        line.append(" --option ").append(key).append('=').append(value));
        config.memory().ifPresent(kind -> line.append(" --memory ").append(kind));
        line.append(" --rules ")
                .append(rule)
                .append(" --profile ")
                .append(config.profile().name().toLowerCase(Locale.ROOT));
        line.append(" --seed ").append(config.seed());
        return line.append(" --report tck-")
                .append(rule.toLowerCase(Locale.ROOT))
                .toString();
    }
}
