package io.weft.tck;

import io.weft.tck.harness.Runs;
import io.weft.tck.report.Results;
import io.weft.tck.rules.RuleClasses;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs the kit from a program. */
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
}
