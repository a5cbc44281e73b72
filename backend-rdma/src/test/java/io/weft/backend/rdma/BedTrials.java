package io.weft.backend.rdma;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Runs {@link RdmaEngineIT} where there is no Maven, as in the test bed; {@code test-bed/trials} says how. */
final class BedTrials {
    private BedTrials() {}

    /** Arguments are the tests to run; none means all. */
    public static void main(String[] tests) {
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
        if (tests.length == 0) {
            request.selectors(DiscoverySelectors.selectClass(RdmaEngineIT.class));
        }
        for (String test : tests) {
            request.selectors(DiscoverySelectors.selectMethod(RdmaEngineIT.class, test));
        }
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request.build(), summary, new Progress());
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        summary.getSummary().printFailuresTo(out, 30);
        out.println(summary.getSummary().getTestsSucceededCount() + " trials passed, "
                + summary.getSummary().getTotalFailureCount() + " failed, "
                + summary.getSummary().getTestsAbortedCount() + " skipped");
        boolean good = summary.getSummary().getTotalFailureCount() == 0
                && summary.getSummary().getTestsSucceededCount() > 0;
        System.exit(good ? 0 : 1);
    }

    private static final class Progress implements TestExecutionListener {
        private long began;

        @Override
        public void executionStarted(TestIdentifier test) {
            began = System.nanoTime();
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (test.isTest()) {
                System.out.printf(
                        "%s: %s after %.1f s%n",
                        test.getDisplayName(), result.getStatus(), (System.nanoTime() - began) / 1e9);
            }
        }
    }
}
