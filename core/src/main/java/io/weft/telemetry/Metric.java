package io.weft.telemetry;

import java.util.List;

/**
 * The catalogue: everything that Weft measures. Names and units follow OpenTelemetry's habits (dots between words, units in UCUM); the
 * page docs/metrics.md and the dashboard are made from it. Every label takes its values from a set that the code bounds: states,
 * codes, sides, names of backends, of tables and of a backend's own counters, and the one engine or rank that is asked. No label
 * ever holds a peer, a room, a transfer or an address.
 *
 * <p>Immutable; safe from any thread.
 *
 * @since 0.1
 */
public enum Metric {
    /** Calls that returned a transfer. */
    TRANSFERS_STARTED(
            "weft.transfers.started",
            MetricKind.COUNTER,
            "{transfer}",
            List.of("engine"),
            "Transfers that a call returned."),
    /** Ends by state. */
    TRANSFERS_ENDED(
            "weft.transfers.ended",
            MetricKind.COUNTER,
            "{transfer}",
            List.of("engine", "state"),
            "Transfers that ended SUCCEEDED, FAILED or CANCELLED; at rest their sum and those in flight are those started (rule OBS-1)."),
    /** Failures by code. */
    TRANSFERS_FAILED(
            "weft.transfers.failed",
            MetricKind.COUNTER,
            "{transfer}",
            List.of("engine", "code"),
            "Transfers that ended FAILED, by error code; a code that never occurred is absent."),
    /** Not terminal. */
    TRANSFERS_IN_FLIGHT(
            "weft.transfers.in_flight",
            MetricKind.GAUGE,
            "{transfer}",
            List.of("engine"),
            "Transfers that have not ended, waiting or moving."),
    /** Bytes that arrived. */
    TRANSFER_BYTES(
            "weft.transfers.bytes", MetricKind.COUNTER, "By", List.of("engine"), "Bytes of transfers that succeeded."),
    /** Stalls that were told. */
    TRANSFERS_STALLED(
            "weft.transfers.stalled",
            MetricKind.COUNTER,
            "{transfer}",
            List.of("engine"),
            "Transfers that made no progress for weft.stall.warning, each counted once."),
    /** Lost notifications. */
    NOTIFICATIONS_DROPPED(
            "weft.notifications.dropped",
            MetricKind.COUNTER,
            "{notification}",
            List.of("engine"),
            "Notifications that nobody took in time or for which there was no room (rule NOT-3)."),
    /** Registered memory. */
    MEMORY_REGISTERED(
            "weft.memory.registered", MetricKind.GAUGE, "By", List.of("engine"), "Bytes of memory registered now."),
    /** Peers by state. */
    PEERS(
            "weft.peers",
            MetricKind.GAUGE,
            "{peer}",
            List.of("engine", "state"),
            "Peers by state; a state in which no peer is reads 0."),
    /** The control plane's own counts. */
    CONTROL_EVENTS(
            "weft.control.events",
            MetricKind.COUNTER,
            "{event}",
            List.of("engine", "event"),
            "What happened at the control port: connections accepted, claimed, unclaimed and unauthenticated, protocol errors, sessions"
                    + " opened, requests refused, slow readers."),
    /** Control sessions. */
    CONTROL_SESSIONS(
            "weft.control.sessions",
            MetricKind.GAUGE,
            "{session}",
            List.of("engine"),
            "Control sessions that are open."),
    /** A backend's own counters. */
    BACKEND_EVENTS(
            "weft.backend.events",
            MetricKind.COUNTER,
            "1",
            List.of("engine", "backend", "event"),
            "A backend's own counters, by the name that it gave them."),
    /** A backend's own gauges. */
    BACKEND_VALUES(
            "weft.backend.values",
            MetricKind.GAUGE,
            "1",
            List.of("engine", "backend", "value"),
            "A backend's own gauges, by the name that it gave them."),
    /** Ends of rooms. */
    ROOMS_ENDED(
            "weft.kv.rooms.ended",
            MetricKind.COUNTER,
            "{room}",
            List.of("role", "state"),
            "Rooms that ended, by side (prefill, decode) and outcome (succeeded, failed)."),
    /** Bytes of rooms. */
    ROOM_BYTES(
            "weft.kv.bytes",
            MetricKind.COUNTER,
            "By",
            List.of("role"),
            "Bytes of pages handed to the fabric; counted where they are sent."),
    /** Refused control messages. */
    MESSAGES_REJECTED(
            "weft.kv.messages.rejected",
            MetricKind.COUNTER,
            "{message}",
            List.of("role"),
            "Control messages that changed nothing: malformed, unknown, stale or foreign."),
    /** Lost control messages. */
    MESSAGES_DROPPED(
            "weft.kv.messages.dropped",
            MetricKind.COUNTER,
            "{message}",
            List.of("role"),
            "Own control messages that no queue took."),
    /** State indices left out. */
    INDICES_DROPPED(
            "weft.kv.indices.dropped",
            MetricKind.COUNTER,
            "{index}",
            List.of("role"),
            "State indices left out because the other side named fewer."),
    /** Leases by state. */
    LEASES(
            "weft.kv.leases",
            MetricKind.GAUGE,
            "{lease}",
            List.of("role", "state"),
            "Leases of pages that are not released, by state; quarantined ones keep their pages until the writer is known to be quiet."),
    /** Table sizes. */
    TABLE_SIZE(
            "weft.kv.table.size",
            MetricKind.GAUGE,
            "1",
            List.of("role", "table"),
            "Entries of a rank's tables; all rooms ended and cleared means that rooms, pendingRooms and drainingRooms read 0."),
    /** Registered ranks. */
    REGISTRY_RANKS(
            "weft.bootstrap.ranks",
            MetricKind.GAUGE,
            "{rank}",
            List.of(),
            "Prefill ranks registered now, of the instance's shape."),
    /** Ranks that make the instance ready. */
    REGISTRY_RANKS_NEEDED(
            "weft.bootstrap.ranks.needed",
            MetricKind.GAUGE,
            "{rank}",
            List.of(),
            "Prefill ranks that the instance's shape has; 0 before the first registers."),
    /** Refused requests. */
    REGISTRY_REQUESTS(
            "weft.bootstrap.requests",
            MetricKind.COUNTER,
            "{request}",
            List.of("status"),
            "Requests answered, by class of HTTP status (2xx, 4xx, 5xx).");

    private final String metricName;
    private final MetricKind kind;
    private final String unit;

    @SuppressWarnings("ImmutableEnumChecker") // lists of List.of only
    private final List<String> labels;

    private final String meaning;

    Metric(String metricName, MetricKind kind, String unit, List<String> labels, String meaning) {
        this.metricName = metricName;
        this.kind = kind;
        this.unit = unit;
        this.labels = labels;
        this.meaning = meaning;
    }

    /**
     * The name.
     *
     * @return lower-case words joined by dots
     */
    public String metricName() {
        return metricName;
    }

    /**
     * The kind.
     *
     * @return counter or gauge
     */
    public MetricKind kind() {
        return kind;
    }

    /**
     * The unit in UCUM, as OpenTelemetry writes it.
     *
     * @return such as {@code By}, {@code s} or {@code {transfer}}
     */
    public String unit() {
        return unit;
    }

    /**
     * Names of labels, in the order in which values are given.
     *
     * @return names
     */
    public List<String> labels() {
        return labels;
    }

    /**
     * What is counted.
     *
     * @return a sentence
     */
    public String meaning() {
        return meaning;
    }

    /**
     * The name under which Prometheus sees it: underscores for dots, bytes spelled out, {@code _total} after counters.
     *
     * @return the name
     */
    public String prometheusName() {
        String base = metricName.replace('.', '_');
        if (unit.equals("By") && !base.endsWith("_bytes")) {
            base += "_bytes";
        }
        return kind == MetricKind.COUNTER ? base + "_total" : base;
    }
}
