package io.weft.tck.harness;

import io.weft.tck.report.BrokenPromise;
import io.weft.tck.report.Results;
import io.weft.tck.report.RuleFailure;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.opentest4j.TestAbortedException;

/** Runs a rule's test once for each case, gives it its rig, records how it went, and makes failures tell. */
public final class RuleExtension implements TestTemplateInvocationContextProvider {
    /** Made by JUnit. */
    public RuleExtension() {}

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return true;
    }

    @Override
    public boolean mayReturnZeroTestTemplateInvocationContexts(ExtensionContext context) {
        return true; // not selected, or no case applies to the backend
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        Method method = context.getRequiredTestMethod();
        RuleTest test = method.getAnnotation(RuleTest.class);
        Runs.Entry entry = Runs.of(context);
        Results results = entry.results();
        if (!results.isSelected(test.value())) {
            return Stream.of();
        }
        Run run = entry.run();
        if (run == null) {
            return Stream.of(new Broken(test.value(), results));
        }
        boolean shaped = Arrays.asList(method.getParameterTypes()).contains(Shape.class);
        List<Case> cases = Cases.of(run, test, shaped);
        results.planned(test.value(), cases.size());
        return cases.stream().map(c -> new Invocation(run, results, test.value(), method.getName(), c));
    }

    /** A harness that does not work fails each test it was asked for, and no rule. */
    private record Broken(String rule, Results results) implements TestTemplateInvocationContext, BeforeEachCallback {
        @Override
        public String getDisplayName(int index) {
            return "[" + rule + "] not run: the harness does not work";
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(this);
        }

        @Override
        public void beforeEach(ExtensionContext context) {
            results.standsStill().ifPresent(text -> {
                throw new HarnessBroken(text);
            });
            throw new TestAbortedException(
                    "not tried, for the reason that the first test tells: " + results.brokenText());
        }
    }

    private static final class Invocation
            implements TestTemplateInvocationContext,
                    ParameterResolver,
                    BeforeEachCallback,
                    AfterEachCallback,
                    TestExecutionExceptionHandler {
        private final Run run;
        private final Results results;
        private final String rule;
        private final String method;
        private final Case permutation;
        private final Rig rig;
        private long started;
        private boolean waits;

        Invocation(Run run, Results results, String rule, String method, Case permutation) {
            this.run = run;
            this.results = results;
            this.rule = rule;
            this.method = method;
            this.permutation = permutation;
            this.rig = new Rig(run, permutation);
        }

        @Override
        public String getDisplayName(int index) {
            return "[" + rule + "] " + method + ": " + permutation;
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(this);
        }

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            Class<?> type = parameter.getParameter().getType();
            return type == Rig.class || type == Shape.class || type == Run.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            Class<?> type = parameter.getParameter().getType();
            return type == Rig.class
                    ? rig
                    : type == Run.class ? run : permutation.shape().orElseThrow();
        }

        @Override
        public void beforeEach(ExtensionContext context) {
            started = System.nanoTime();
            results.waitsFor(rule).ifPresent(reason -> {
                waits = true;
                throw new TestAbortedException(reason);
            });
            run.subject().takeViolations();
        }

        @Override
        public void handleTestExecutionException(ExtensionContext context, Throwable thrown) throws Throwable {
            if (thrown instanceof TestAbortedException || thrown instanceof HarnessBroken) {
                throw thrown;
            }
            throw told(new RuleFailure(run, rule, permutation, state(), thrown));
        }

        /**
         * The first failure makes the kit look for methods that are not written. If the rule stands on one of those, that is all
         * there is to say of it: whatever it saw, it has no verdict yet.
         */
        private AssertionError told(RuleFailure failure) {
            results.unwrittenOnce(run.subject()::unwritten);
            return results.toWriteFirst(rule)
                    .<AssertionError>map(NotWritten::new)
                    .orElse(failure);
        }

        /** What a report shows beside a failure, which must not be lost if that cannot be had. */
        private String state() {
            try {
                return rig.state();
            } catch (RuntimeException unknown) {
                return "could not be had: " + unknown;
            }
        }

        @Override
        public void afterEach(ExtensionContext context) {
            if (waits) {
                return;
            }
            Throwable thrown = context.getExecutionException().orElse(null);
            AssertionError late = null;
            try {
                rig.close();
            } catch (RuntimeException e) {
                late = new AssertionError("closing the engines failed: " + e, e);
            }
            List<String> violations = run.subject().takeViolations();
            if (!violations.isEmpty()) {
                late = new BrokenPromise(violations);
            }
            AssertionError failure =
                    thrown == null && late != null ? told(new RuleFailure(run, rule, permutation, "", late)) : null;
            long nanos = System.nanoTime() - started;
            if (!(thrown instanceof NotWritten || failure instanceof NotWritten)) {
                results.add(rule, method, permutation.toString(), nanos, failure == null ? thrown : failure);
            }
            if (failure != null) {
                throw failure;
            }
        }
    }
}
