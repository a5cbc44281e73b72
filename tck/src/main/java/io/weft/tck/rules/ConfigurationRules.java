package io.weft.tck.rules;

import io.weft.api.Candidate;
import io.weft.api.ErrorCode;
import io.weft.api.MemoryKind;
import io.weft.api.SelectionReport;
import io.weft.api.Transfer;
import io.weft.api.Verdict;
import io.weft.spi.Availability;
import io.weft.spi.Backend;
import io.weft.spi.BackendContext;
import io.weft.spi.BackendProvider;
import io.weft.spi.Capabilities;
import io.weft.spi.OptionValues;
import io.weft.spi.ProbeContext;
import io.weft.spi.TransferSupport;
import io.weft.tck.harness.Block;
import io.weft.tck.harness.Expect;
import io.weft.tck.harness.Rig;
import io.weft.tck.harness.RuleSuite;
import io.weft.tck.harness.RuleTest;
import io.weft.tck.harness.Topology;
import io.weft.testkit.ForwardingBackend;
import io.weft.testkit.ForwardingProvider;
import io.weft.testkit.lone.LoneOptions;
import java.time.Duration;
import java.util.List;

/** CAP-2, CFG: probing, options, selection. */
@RuleSuite
class ConfigurationRules {
    private static final int SIZE = 1000;

    @RuleTest(
            value = "CAP-2",
            topologies = {Topology.PAIR, Topology.PROCESS})
    void cap2_probeTellsAndHoldsNothing(Rig rig) {
        BackendProvider provider = rig.run().subject().provider();
        OptionValues options =
                new LoneOptions(provider.options(), rig.run().config().options());
        Duration bound = rig.clocks().scaled(Duration.ofSeconds(15));
        probe(provider, options, bound); // what is loaded once for the whole process stays
        Leftovers before = Leftovers.now();
        for (int i = 0; i < 5; i++) {
            probe(provider, options, bound);
        }
        rig.clocks()
                .eventually(
                        "five probes left no thread and no file open: " + before,
                        () -> Leftovers.now().isWithin(before, 0));
    }

    private static void probe(BackendProvider provider, OptionValues options, Duration bound) {
        long began = System.nanoTime();
        Availability found;
        try {
            found = provider.probe(new ProbeContext() {
                @Override
                public OptionValues options() {
                    return options;
                }

                @Override
                public long deadlineNanos() {
                    return began + bound.toNanos();
                }
            });
        } catch (RuntimeException | LinkageError thrown) {
            throw new AssertionError("probe threw " + thrown + ", must never", thrown);
        }
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        Expect.that(took.compareTo(bound) < 0, "probe took " + took + ", its deadline was " + bound);
        Expect.that(
                found.isUsable() || !found.reason().isBlank() && !found.remedy().isBlank(),
                "probe says unusable, with reason '" + found.reason() + "' and remedy '" + found.remedy()
                        + "'; both must be named");
    }

    @RuleTest(
            value = "CFG-1",
            topologies = {Topology.PAIR, Topology.PROCESS})
    void cfg1_wrongOptionsAreRefusedAllAtOnce(Rig rig) throws InterruptedException {
        var refused = Expect.refused(
                "open with four wrong options",
                () -> rig.sides()
                        .openHere(rig.setup()
                                .spec("refused")
                                .with("weft.transfer.dedline", "5s")
                                .with("weft.listen.port", "70000")
                                .with("weft.connect-timeout", "soon")
                                .with("weft.route.policy", "maybe")),
                ErrorCode.INVALID_ARGUMENT);
        String text = String.valueOf(refused.getMessage());
        for (String named : List.of(
                "weft.transfer.dedline",
                "weft.transfer.deadline", // the nearest valid key
                "weft.listen.port",
                "70000",
                "65535", // the allowed range
                "weft.connect-timeout",
                "soon",
                "weft.route.policy",
                "maybe",
                "warn")) {
            Expect.that(
                    text.replace(" ", "").replace("_", "").contains(named.replace("_", "")),
                    "the refusal does not name " + named + ": " + text);
        }
        String key = "weft.backend." + rig.run().config().backend() + ".no-such-option";
        var unknown = Expect.refused(
                "open with an unknown option of the backend",
                () -> rig.sides().openHere(rig.setup().spec("refused").with(key, "1")),
                ErrorCode.INVALID_ARGUMENT);
        Expect.that(
                String.valueOf(unknown.getMessage()).contains(key),
                "the refusal does not name " + key + ": " + unknown.getMessage());
    }

    @RuleTest("CFG-2")
    void cfg2_selectionIsTheSameEveryTimeAndExplained(Rig rig) throws InterruptedException {
        Block from = rig.local(SIZE);
        Block to = rig.remote(SIZE);
        Transfer transfer = rig.succeeds(rig.write(from, 0, to, 0, SIZE));
        MemoryKind local = rig.permutation().kinds().local();
        MemoryKind remote = rig.permutation().kinds().remote();
        SelectionReport first = rig.engine().explain(rig.targetKey(), local, remote);
        for (int i = 0; i < 5; i++) {
            Expect.equal(
                    "what explain says the next time", first, rig.engine().explain(rig.targetKey(), local, remote));
        }
        Expect.equal(
                "the backend of the receipt",
                first.chosen().map(Candidate::name).orElse("none"),
                transfer.receipt().orElseThrow().backend());
        SelectionReport none;
        try (Rig refusing = new Rig(rig.run(), rig.permutation())) {
            refusing.setup().decorate(Degraded::new).with("weft.route.policy", "fail");
            refusing.target();
            none = refusing.engine().explain(refusing.targetKey(), local, remote);
        }
        Expect.that(none.chosen().isEmpty(), "explain chose a degraded route under policy fail: " + none);
        for (SelectionReport report : List.of(first, none)) {
            Expect.that(!report.candidates().isEmpty(), "explain names no candidate: " + report);
            for (Candidate candidate : report.candidates()) {
                Expect.that(
                        candidate.verdict() == Verdict.CHOSEN
                                || !candidate.evidence().isBlank(),
                        "explain gives no evidence for " + candidate);
            }
        }
    }

    @RuleTest("CFG-3")
    void cfg3_underFailADegradedRouteIsRefused(Rig outer) throws InterruptedException {
        for (String policy : List.of("fail", "warn", "allow")) {
            try (Rig rig = new Rig(outer.run(), outer.permutation())) {
                rig.setup().decorate(Degraded::new).with("weft.route.policy", policy);
                Block from = rig.local(SIZE);
                byte[] source = from.fill(1);
                Block to = rig.remote(SIZE);
                byte[] before = to.fill(2);
                Transfer transfer = rig.write(from, 0, to, 0, SIZE);
                if (policy.equals("fail")) {
                    rig.fails("a write over a degraded route under policy fail", transfer, ErrorCode.UNSUPPORTED);
                    Expect.sameBytes("the target", before, to.bytes());
                    Expect.that(
                            transfer.text().contains(Degraded.WHY),
                            "the text is '" + transfer.text() + "', must tell why the route is degraded");
                } else {
                    rig.succeeds(transfer);
                    Expect.sameBytes("the target under policy " + policy, source, to.bytes());
                }
            }
        }
    }

    /** A backend that says it is degraded. */
    private static final class Degraded extends ForwardingProvider {
        static final String WHY = "made slow by the test";

        Degraded(BackendProvider sound) {
            super(sound);
        }

        @Override
        public Backend open(BackendContext context) {
            return new ForwardingBackend(super.open(context)) {
                @Override
                public Capabilities capabilities() {
                    Capabilities all = super.capabilities();
                    Capabilities.Builder same = Capabilities.builder()
                            .progress(all.progress(), all.targetNeedsProgress())
                            .enforcement(all.enforcement())
                            .reach(all.reach())
                            .quiesceTime(all.quiesceTime())
                            .degraded(WHY);
                    for (TransferSupport s : all.transfers()) {
                        same.supports(s.kind(), s.local(), s.remote(), s.visibility());
                    }
                    return same.build();
                }
            };
        }
    }
}
