package io.weft.tck.harness;

import io.weft.tck.TckConfig;
import io.weft.tck.report.Results;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** The runs of one execution of JUnit, one for each backend under test; they end with the execution. */
public final class Runs {
    static final Namespace NAMESPACE = Namespace.create(Runs.class);

    /** Key of the name under which a program takes the results of a run it started. */
    public static final String RUN_ID = "weft.tck.run-id";

    private static final Map<String, Results> FINISHED = new ConcurrentHashMap<>();

    private Runs() {}

    /** A run, or why there is none. */
    record Entry(@Nullable Run run, Results results, Optional<String> runId, Thread lastWords)
            implements AutoCloseable {
        @Override
        public void close() {
            try {
                Runtime.getRuntime().removeShutdownHook(lastWords);
            } catch (IllegalStateException alreadyEnding) {
                // then it writes the report
            }
            if (run != null) {
                run.close();
            }
            results.finished(TargetHost.live());
            runId.ifPresentOrElse(id -> FINISHED.put(id, results), results::write);
        }
    }

    static Entry of(ExtensionContext context) {
        String backend = BackendExtension.backend(context).orElseThrow();
        return context.getRoot().getStore(NAMESPACE).computeIfAbsent(backend, name -> open(context, name), Entry.class);
    }

    private static Entry open(ExtensionContext context, String backend) {
        TckConfig config = TckConfig.read(
                key -> key.equals(TckConfig.BACKEND) ? Optional.of(backend) : context.getConfigurationParameter(key));
        Optional<String> runId = context.getConfigurationParameter(RUN_ID);
        Results results = new Results(config);
        // Who ends the process before the run is over gets the verdicts so far.
        Thread lastWords = new Thread(
                () -> {
                    results.cutShort();
                    results.write();
                },
                "weft-tck-last-words");
        Runtime.getRuntime().addShutdownHook(lastWords);
        Subject subject = null;
        try {
            subject = Subject.of(config);
            Run run = new Run(config, subject);
            results.facts(run.facts());
            HarnessChecks.run(run);
            return new Entry(run, results, runId, lastWords);
        } catch (RuntimeException | LinkageError broken) {
            results.broken(broken);
            if (subject != null) {
                results.unwrittenOnce(subject::unwritten);
            }
            return new Entry(null, results, runId, lastWords);
        }
    }

    /**
     * Takes the results of a run that was started under an id.
     *
     * @param id the id
     * @return the results, empty if no rule was tried
     */
    public static Optional<Results> take(String id) {
        return Optional.ofNullable(FINISHED.remove(id));
    }
}
