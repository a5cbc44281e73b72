package io.weft.engine.internal.route;

import io.weft.api.Candidate;
import io.weft.api.MemoryKind;
import io.weft.api.RoutePolicy;
import io.weft.api.Verdict;
import io.weft.engine.internal.backend.OpenBackend;
import io.weft.engine.internal.control.BackendHello;
import io.weft.spi.Capabilities.Enforcement;
import io.weft.spi.OperationKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Chooses the first backend that can, directly if any does, else staged through host memory: in configured order, then by provider priority, then by name, so that there are no ties.
 * Immutable; safe from any thread.
 */
public final class Router {
    private final List<OpenBackend> order;
    private final List<Candidate> unopened;
    private final boolean strictTrust;

    /**
     * Makes a router.
     *
     * @param backends the open backends
     * @param unopened what discovery or opening refused, for explanations
     * @param configured names that come first
     * @param strictTrust whether backends that trust their peers are refused
     */
    public Router(List<OpenBackend> backends, List<Candidate> unopened, List<String> configured, boolean strictTrust) {
        this.unopened = List.copyOf(unopened);
        this.strictTrust = strictTrust;
        this.order = backends.stream()
                .sorted(Comparator.<OpenBackend>comparingInt(b -> rank(configured, b.name()))
                        .thenComparing(
                                Comparator.comparingInt(OpenBackend::priority).reversed())
                        .thenComparing(OpenBackend::name))
                .toList();
    }

    private static int rank(List<String> configured, String name) {
        int at = configured.indexOf(name);
        return at < 0 ? Integer.MAX_VALUE : at;
    }

    /**
     * Decides.
     *
     * @param question what is to be carried
     * @param peer to whom
     * @return the route and every candidate's verdict
     */
    public Decision decide(RouteQuestion question, RoutePeer peer) {
        Decision direct = decide(question, peer, "");
        if (direct.backend().isPresent() || !question.isDevice()) {
            return direct;
        }
        return decide(
                question,
                peer,
                "no backend moves " + question + " directly" + whyNotDirect(question)
                        + ", so it is staged through host memory");
    }

    /** What backends found when they tried. */
    private String whyNotDirect(RouteQuestion question) {
        StringBuilder text = new StringBuilder();
        for (OpenBackend backend : order) {
            Stream.of(question.local(), question.remote())
                    .distinct()
                    .map(kind -> backend.capabilities().vendor().get("direct-" + kind))
                    .filter(Objects::nonNull)
                    .forEach(found -> text.append(text.isEmpty() ? " (" : "; ")
                            .append(backend.name())
                            .append(": ")
                            .append(found));
        }
        return text.isEmpty() ? "" : text.append(')').toString();
    }

    private Decision decide(RouteQuestion question, RoutePeer peer, String staged) {
        RouteQuestion carried = staged.isEmpty() ? question : question.staged();
        List<Candidate> candidates = new ArrayList<>();
        Optional<OpenBackend> chosen = Optional.empty();
        String warning = "";
        String passedOver = "";
        for (OpenBackend backend : order) {
            Refusal refusal = refusal(backend, carried, peer, passedOver);
            if (refusal == null && !staged.isEmpty()) {
                refusal = stagingRefusal(question, peer, staged);
            }
            if (refusal != null) {
                candidates.add(candidate(backend, refusal.verdict, refusal.evidence));
                if (refusal.verdict == Verdict.QUARANTINED) {
                    passedOver = backend.name() + " would be preferred and is in quarantine: " + refusal.evidence;
                }
            } else if (chosen.isPresent()) {
                candidates.add(candidate(
                        backend, Verdict.OUTRANKED, "usable; " + chosen.get().name() + " comes first"));
            } else {
                chosen = Optional.of(backend);
                String degraded = backend.capabilities().degraded();
                warning = !passedOver.isEmpty() ? passedOver : staged.isEmpty() ? degraded : staged;
                candidates.add(candidate(backend, Verdict.CHOSEN, reasons(backend, question, peer, warning)));
            }
        }
        candidates.addAll(unopened);
        return new Decision(chosen, chosen.isPresent() && !staged.isEmpty(), warning, candidates);
    }

    private record Refusal(Verdict verdict, String evidence) {}

    @org.jspecify.annotations.Nullable
    private Refusal refusal(OpenBackend backend, RouteQuestion question, RoutePeer peer, String passedOver) {
        if (backend.capabilities()
                .find(question.operation(), question.local(), question.remote())
                .isEmpty()) {
            return new Refusal(
                    Verdict.MISSING_CAPABILITY,
                    "wanted " + question + " directly, has "
                            + backend.capabilities().transfers().stream()
                                    .map(t -> t.kind() + " " + t.local() + "->" + t.remote())
                                    .toList());
        }
        if (strictTrust && backend.capabilities().enforcement() == Enforcement.INITIATOR) {
            return new Refusal(
                    Verdict.MISSING_CAPABILITY,
                    "it trusts its peers to keep bounds (enforcement INITIATOR), and weft.trust=strict refuses that");
        }
        Optional<String> lacking = peer.plain() ? plainLacks(backend) : peerLacks(backend, question, peer);
        if (lacking.isPresent()) {
            return new Refusal(Verdict.PEER_LACKS_IT, lacking.get());
        }
        Optional<String> quarantine = peer.quarantine().reason(backend.index());
        if (quarantine.isPresent()) {
            return new Refusal(Verdict.QUARANTINED, quarantine.get());
        }
        if (question.policy() == RoutePolicy.FAIL) {
            if (!backend.capabilities().degraded().isEmpty()) {
                return new Refusal(
                        Verdict.MISSING_CAPABILITY,
                        "degraded (" + backend.capabilities().degraded()
                                + "), and the route policy is fail (weft.route.policy, or the transfer's own)");
            }
            if (!passedOver.isEmpty()) {
                return new Refusal(
                        Verdict.OUTRANKED,
                        passedOver + ", and the route policy is fail (weft.route.policy, or the transfer's own)");
            }
        }
        return null;
    }

    @org.jspecify.annotations.Nullable
    private static Refusal stagingRefusal(RouteQuestion question, RoutePeer peer, String staged) {
        if (peer.plain() && !question.remote().isHost()) {
            return new Refusal(
                    Verdict.PEER_LACKS_IT,
                    "the peer is a plain MORI-IO engine, which does not copy staged bytes to its device memory");
        }
        return question.policy() == RoutePolicy.FAIL
                ? new Refusal(
                        Verdict.MISSING_CAPABILITY,
                        staged + ", and the route policy is fail (weft.route.policy, or the transfer's own)")
                : null;
    }

    private static Optional<String> plainLacks(OpenBackend backend) {
        return backend.capabilities().speaksToPlainPeers()
                ? Optional.empty()
                : Optional.of("the peer is a plain MORI-IO engine, and this backend does not speak its wire");
    }

    private static Optional<String> peerLacks(OpenBackend backend, RouteQuestion question, RoutePeer peer) {
        if (peer.hello().isEmpty()) {
            return Optional.empty();
        }
        Optional<BackendHello> there = peer.hello().get().backend(backend.name());
        if (there.isEmpty()) {
            return Optional.of("the peer has "
                    + peer.hello().get().backends().stream()
                            .map(BackendHello::name)
                            .toList());
        }
        return handles(there.get(), question.operation(), question.remote())
                ? Optional.empty()
                : Optional.of("the peer's " + backend.name() + " does not move memory of kind " + question.remote());
    }

    private static boolean handles(BackendHello there, OperationKind operation, MemoryKind kind) {
        return there.transfers().stream()
                .anyMatch(t -> t.kind() == operation
                        && (t.remote().equals(kind) || t.local().equals(kind)));
    }

    private static String reasons(OpenBackend backend, RouteQuestion question, RoutePeer peer, String warning) {
        return question + ", priority " + backend.priority()
                + (peer.plain() || peer.hello().isPresent()
                        ? ""
                        : "; the peer is not connected, so what it offers is not known yet")
                + (warning.isEmpty() ? "" : "; degraded: " + warning);
    }

    private static Candidate candidate(OpenBackend backend, Verdict verdict, String evidence) {
        return new Candidate(
                backend.name(), backend.version(), backend.spiLevel(), backend.source(), verdict, evidence);
    }
}
