package io.weft.cli.vectors;

import io.weft.api.WeftException;
import io.weft.spi.WireVectors;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs the vectors of a file, each by itself. */
public final class VectorRunner {
    /** Vectors whose expectation is the original's leniency; the product refuses instead. */
    private static final Set<String> REFUSED = Set.of("truncated_body", "mismatch_without_dims_degrades");

    private static final String ALWAYS_REFUSED_KIND = "group_length_mismatch";

    private final List<WireVectors> backends;

    /**
     * A runner.
     *
     * @param backends codecs of the backends on the path
     */
    public VectorRunner(List<WireVectors> backends) {
        this.backends = List.copyOf(backends);
    }

    /**
     * Runs a file.
     *
     * @param json the file's text
     * @return one outcome per vector; empty for a file without any
     * @throws JacksonException if it is no JSON
     */
    public List<Outcome> run(String json) {
        return VectorFile.vectors(JsonMapper.shared().readTree(json)).stream()
                .map(this::run)
                .toList();
    }

    private Outcome run(Vector v) {
        if (v.section().equals(VectorFile.SCENARIOS)) {
            return compare(v, v.body(), WireChecks::originalMessage);
        }
        Check check = Checks.BY_KIND.get(v.kind());
        if (check != null) {
            JsonNode expected = v.body().has("expected") ? v.body().get("expected") : v.body();
            boolean refuses =
                    expected.has("error") || v.kind().equals(ALWAYS_REFUSED_KIND) || REFUSED.contains(v.name());
            return refuses ? refused(v, check) : compare(v, HeadChecks.corrected(expected), check);
        }
        Optional<WireVectors> codec = BackendChecks.codec(backends, v.kind());
        if (codec.isPresent()) {
            return BackendChecks.run(v, codec.get());
        }
        String backend = VectorFile.BACKENDS.get(v.section());
        return backend != null
                ? Outcome.skipped(v, "backend " + backend + " offers no codec for " + v.section())
                : Outcome.failed(v, "a known section and kind", "section " + v.section() + ", kind " + v.kind());
    }

    private static Outcome refused(Vector v, Check check) {
        try {
            return Outcome.failed(
                    v, "a refusal", Nodes.tree(check.actual(v.body())).toString());
        } catch (WeftException refusal) {
            return Outcome.passed(v);
        } catch (RuntimeException defect) {
            return Outcome.failed(v, "a refusal", defect.toString());
        }
    }

    private static Outcome compare(Vector v, JsonNode expected, Check check) {
        try {
            JsonNode actual = Nodes.tree(check.actual(v.body()));
            JsonNode compared = v.body().has("expected") ? expected : BackendChecks.only(expected, actual);
            return Nodes.matches(compared, actual)
                    ? Outcome.passed(v)
                    : Outcome.failed(v, compared.toString(), actual.toString());
        } catch (RuntimeException thrown) {
            return Outcome.failed(v, expected.toString(), thrown.toString());
        }
    }
}
