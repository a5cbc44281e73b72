package io.weft.config;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import java.util.List;
import java.util.stream.Collectors;

/** A configuration that cannot be used; tells everything that is wrong with it at once (rule CFG-1). */
public final class ConfigurationException extends WeftException {
    private static final long serialVersionUID = 1L;

    /** For tools; the message holds the same. */
    private final transient List<Problem> problems;

    /**
     * Creates the exception.
     *
     * @param problems at least one
     */
    public ConfigurationException(List<Problem> problems) {
        super(ErrorCode.INVALID_ARGUMENT, text(problems));
        this.problems = List.copyOf(problems);
    }

    /**
     * What is wrong.
     *
     * @return in the order of keys
     */
    public List<Problem> problems() {
        return problems;
    }

    private static String text(List<Problem> problems) {
        if (problems.size() == 1) {
            return "configuration: " + problems.getFirst();
        }
        return problems.stream()
                .map(p -> "\n  " + p)
                .collect(Collectors.joining("", "configuration has " + problems.size() + " errors:", ""));
    }
}
