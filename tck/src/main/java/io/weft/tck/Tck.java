package io.weft.tck;

import io.weft.tck.harness.Runs;
import io.weft.tck.report.Results;
import io.weft.tck.rules.RuleClasses;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs the kit from a test or a program. */
public final class Tck {
    private Tck() {}

    /**
     * Runs every selected rule. Blocks until all are tried.
     *
     * @param config what to run
     * @param listeners hear of tests as they go
     * @return what was found; not yet written anywhere
     */
    public static Results run(TckConfig config, TestExecutionListener... listeners) {
        String id = UUID.randomUUID().toString();
        Map<String, String> parameters = new LinkedHashMap<>(config.asProperties());
        parameters.put(Runs.RUN_ID, id);
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(RuleClasses.ALL.stream()
                        .map(DiscoverySelectors::selectClass)
                        .toList())
                .configurationParameters(parameters)
                .build();
        LauncherFactory.create().execute(request, listeners);
        return Runs.take(id).orElseGet(() -> new Results(config));
    }

    /**
     * Proves a backend within a test: runs every selected rule, writes the report if a directory is named, and fails unless every
     * required rule holds. Blocks until all are tried.
     *
     * @param values by the keys of {@link TckConfig}; a system property of the same key goes before
     * @throws AssertionError if a required rule does not hold or was not tried, telling what was seen and how to see it again
     * @throws IllegalArgumentException naming key and value of what cannot be read
     */
    public static void prove(Map<String, String> values) {
        TckConfig config = TckConfig.read(
                key -> Optional.ofNullable(System.getProperty(key)).or(() -> Optional.ofNullable(values.get(key))));
        Results results = run(config);
        results.write();
        List<String> shortcomings = results.shortcomings();
        if (!shortcomings.isEmpty()) {
            String more = config.report()
                    .map(directory -> "\nThe whole report: " + directory.resolve("index.html"))
                    .orElse("");
            throw new AssertionError(results.certificate().statement() + "\n" + String.join("\n", shortcomings) + more);
        }
    }
}
