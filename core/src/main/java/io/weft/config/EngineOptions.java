package io.weft.config;

import io.weft.spi.OptionSpec;
import io.weft.spi.OptionSpec.Type;
import io.weft.spi.OptionValues;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.function.BiConsumer;

/** The engine's options, keys relative to {@code weft.}. */
public final class EngineOptions {
    /** The engine's name. */
    public static final String NAME = "name";
    /** Whether the name is the wire key. */
    public static final String EXACT_KEY = "exact-key";
    /** Identity of the host. */
    public static final String NODE_ID = "node-id";
    /** Where to listen. */
    public static final String LISTEN_HOST = "listen.host";
    /** Where to listen. */
    public static final String LISTEN_PORT = "listen.port";
    /** What peers dial. */
    public static final String ADVERTISE_HOST = "advertise.host";
    /** What peers dial. */
    public static final String ADVERTISE_PORT = "advertise.port";
    /** The shared secret. */
    public static final String SECRET = "secret";
    /** Plain peers in spite of a secret. */
    public static final String PLAIN_PEERS = "plain.peers";
    /** Whether plain peers are notified. */
    public static final String PLAIN_NOTIFICATIONS = "plain.notifications";
    /** How much peers are trusted. */
    public static final String TRUST = "trust";
    /** Which backends come first. */
    public static final String ORDER = "backends.order";
    /** What to do about degraded routes. */
    public static final String ROUTE_POLICY = "route.policy";
    /** How long a failed route is left alone. */
    public static final String QUARANTINE = "route.quarantine";
    /** Default deadline of a transfer. */
    public static final String DEADLINE = "transfer.deadline";
    /** Posted bytes of a transfer. */
    public static final String WINDOW = "transfer.window";
    /** Bytes of an operation. */
    public static final String PIECE = "transfer.piece";
    /** How long a cancelled transfer may drain. */
    public static final String CANCEL_GRACE = "transfer.cancel-grace";
    /** Posted bytes of a link. */
    public static final String LINK_WINDOW = "link.window";
    /** Staging memory of the engine. */
    public static final String STAGING = "staging.bytes";
    /** Transfers to a peer. */
    public static final String QUEUE_TRANSFERS = "queue.transfers";
    /** Segments to a peer. */
    public static final String QUEUE_SEGMENTS = "queue.segments";
    /** Bound of connecting. */
    public static final String CONNECT_TIMEOUT = "connect-timeout";
    /** Bound of a handshake and of a request on the control connection. */
    public static final String CONTROL_TIMEOUT = "control-timeout";
    /** Bound of opening the backends. */
    public static final String OPEN_TIMEOUT = "open-timeout";
    /** Bound of closing the engine. */
    public static final String CLOSE_TIMEOUT = "close-timeout";
    /** Bound of deregistering a region. */
    public static final String DEREGISTER_TIMEOUT = "deregister-timeout";
    /** How often the engine says that it lives. */
    public static final String HEARTBEAT = "heartbeat.interval";
    /** When a silent peer gets no new work. */
    public static final String SUSPECT = "heartbeat.suspect";
    /** When a silent peer is lost. */
    public static final String LOST = "heartbeat.lost";
    /** Unread notifications. */
    public static final String NOTIFICATIONS = "notifications.limit";
    /** Age of unread notifications. */
    public static final String NOTIFICATION_AGE = "notifications.age";
    /** After how long without progress a transfer is told to stall. */
    public static final String STALL = "stall.warning";

    /** MORI reserves this port as a mark for engines without a control plane. */
    private static final int RESERVED_PORT = 1;

    private static final long MS = 1_000_000L;
    private static final long S = 1_000 * MS;
    private static final long HOUR = 3_600 * S;
    private static final long TIB = 1L << 40;

    /** The options as a group of the catalogue. */
    public static final OptionGroup GROUP = new OptionGroup(
            "engine",
            "weft.",
            "the transfer engine: identity, addresses, trust, routes, limits and times",
            List.of(
                    text(
                            NAME,
                            "",
                            "The engine's name in descriptors, logs and metrics. Empty means host name and process id."),
                    flag(
                            EXACT_KEY,
                            false,
                            "Use the name as wire key without the random suffix that tells restarts apart. Only for peers that"
                                    + " expect a fixed key; a restarted engine is then told apart by its incarnation alone."),
                    text(NODE_ID, "", "Identity of this host in descriptors. Empty means the kernel's boot id.")
                            .withAliases("MORI_NODE_ID"),
                    text(
                                    LISTEN_HOST,
                                    "127.0.0.1",
                                    "Address to listen on. A wildcard such as 0.0.0.0 listens everywhere; set a secret then.")
                            .withAliases("SGLANG_HOST_IP"),
                    OptionSpec.integer(LISTEN_PORT, 0, 0, 65_535, "TCP port to listen on; 0 lets the system choose."),
                    text(
                            ADVERTISE_HOST,
                            "",
                            "Address that peers are told to dial. Empty means the listening address, or with a wildcard the"
                                    + " first address of this host that others may reach."),
                    OptionSpec.integer(
                            ADVERTISE_PORT,
                            0,
                            0,
                            65_535,
                            "TCP port that peers are told to dial; 0 means the listening port."),
                    text(
                                    SECRET,
                                    "",
                                    "What every Weft peer has to know. Without it anybody who reaches the port may connect.")
                            .asSecret(),
                    OptionSpec.of(
                            PLAIN_PEERS,
                            Type.LIST,
                            "",
                            "Wire keys of plain MORI-IO peers that may connect although a secret is set."),
                    flag(
                            PLAIN_NOTIFICATIONS,
                            false,
                            "Notify plain MORI-IO peers. Off, because a peer that does not expect it stalls."),
                    OptionSpec.choice(
                            TRUST,
                            "normal",
                            List.of("normal", "strict"),
                            "strict refuses backends that leave checking of bounds to their peers, and listening beyond this"
                                    + " host without a secret."),
                    OptionSpec.of(
                            ORDER,
                            Type.LIST,
                            "",
                            "Backends in the order they are preferred. Those not named come after them, by priority and name."),
                    OptionSpec.choice(
                            ROUTE_POLICY,
                            "warn",
                            List.of("fail", "warn", "allow"),
                            "What to do when only a degraded or staged route to a peer exists."),
                    duration(
                            QUARANTINE,
                            "30s",
                            MS,
                            HOUR,
                            "How long a backend that failed to reach a peer is left alone."),
                    duration(DEADLINE, "30s", MS, 24 * HOUR, "Deadline of a transfer that does not bring its own.")
                            .withAliases("SGLANG_MORI_TRANSFER_TIMEOUT_MS"),
                    bytes(
                            WINDOW,
                            "8MiB",
                            4096,
                            TIB,
                            "Most bytes of one transfer that are posted and not yet complete."),
                    bytes(
                            PIECE,
                            "1MiB",
                            4096,
                            TIB,
                            "Most bytes of one operation where the backend does not ask for another size."),
                    duration(
                            CANCEL_GRACE,
                            "1s",
                            MS,
                            HOUR,
                            "How long the posted part of a cancelled transfer may go on before its link is broken."),
                    bytes(
                            LINK_WINDOW,
                            "64MiB",
                            4096,
                            TIB,
                            "Most bytes of one link that are posted and not yet complete."),
                    bytes(
                            STAGING,
                            "256MiB",
                            0,
                            TIB,
                            "Most host memory that device memory is staged through, 8 MiB for each peer and direction; 0"
                                    + " stages nothing."),
                    OptionSpec.integer(
                            QUEUE_TRANSFERS,
                            65_536,
                            1,
                            1 << 24,
                            "Most transfers to one peer that are not over; further ones fail with RESOURCE_EXHAUSTED."),
                    OptionSpec.integer(
                            QUEUE_SEGMENTS, 16L << 20, 1, 1L << 40, "Most segments of the transfers to one peer."),
                    duration(CONNECT_TIMEOUT, "5s", MS, HOUR, "How long connecting to a peer may take."),
                    duration(
                                    CONTROL_TIMEOUT,
                                    "5s",
                                    MS,
                                    HOUR,
                                    "How long a handshake or a request on a control connection may take.")
                            .withAliases("MORI_IO_CP_TIMEOUT_MS"),
                    duration(OPEN_TIMEOUT, "30s", MS, HOUR, "How long opening the backends may take, all together."),
                    duration(
                            CLOSE_TIMEOUT,
                            "5s",
                            MS,
                            HOUR,
                            "How long close lets transfers go on before it cancels them."),
                    duration(
                            DEREGISTER_TIMEOUT,
                            "5s",
                            MS,
                            HOUR,
                            "How long deregistering lets transfers go on before it cancels them and fences the peers."),
                    duration(HEARTBEAT, "1s", MS, HOUR, "How often the engine tells its peers that it lives."),
                    duration(SUSPECT, "3s", MS, HOUR, "After this silence a peer gets no new work."),
                    duration(LOST, "10s", MS, HOUR, "After this silence a peer is lost and its transfers fail."),
                    OptionSpec.integer(
                            NOTIFICATIONS,
                            65_536,
                            1,
                            1 << 24,
                            "Most unread notifications, and most unread ends of inbound transfers; older ones are dropped and"
                                    + " counted."),
                    duration(NOTIFICATION_AGE, "10m", MS, 24 * HOUR, "How long unread ones are kept."),
                    duration(
                            STALL,
                            "5s",
                            10 * MS,
                            24 * HOUR,
                            "After how long without progress a transfer is warned about, once, with a picture of its peer.")),
            EngineOptions::check);

    private EngineOptions() {}

    private static void check(OptionValues values, BiConsumer<String, String> refuse) {
        if (values.nanos(HEARTBEAT) >= values.nanos(SUSPECT)) {
            refuse.accept(SUSPECT, "has to be longer than weft." + HEARTBEAT + ", or every peer is suspected at once");
        }
        if (values.nanos(SUSPECT) >= values.nanos(LOST)) {
            refuse.accept(LOST, "has to be longer than weft." + SUSPECT);
        }
        for (String port : List.of(LISTEN_PORT, ADVERTISE_PORT)) {
            if (values.integer(port) == RESERVED_PORT) {
                refuse.accept(port, "port 1 is reserved: peers take it for an engine without a control plane");
            }
        }
        if (isWildcard(values.string(ADVERTISE_HOST))) {
            refuse.accept(ADVERTISE_HOST, "peers cannot dial a wildcard; name an address of this host");
        }
        boolean isOpen = !isLoopback(values.string(LISTEN_HOST));
        if (values.string(TRUST).equals("strict")
                && isOpen
                && values.string(SECRET).isEmpty()) {
            refuse.accept(
                    SECRET,
                    "is missing: weft.trust is strict and the engine listens on " + values.string(LISTEN_HOST)
                            + ", where anybody could connect; set WEFT_SECRET or weft.secret-file, or listen on 127.0.0.1");
        }
    }

    private static boolean isWildcard(String host) {
        return host.equals("0.0.0.0") || host.equals("::") || host.equals("[::]") || host.equals("*");
    }

    private static boolean isLoopback(String host) {
        if (host.equals("localhost")) {
            return true;
        }
        boolean isLiteral = host.contains(":") || host.chars().allMatch(c -> c == '.' || Character.isDigit(c));
        try {
            return isLiteral && InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false; // no address at all; binding to it tells
        }
    }

    private static OptionSpec text(String key, String defaultValue, String text) {
        return OptionSpec.of(key, Type.STRING, defaultValue, text);
    }

    private static OptionSpec flag(String key, boolean defaultValue, String text) {
        return OptionSpec.of(key, Type.BOOLEAN, Boolean.toString(defaultValue), text);
    }

    private static OptionSpec duration(String key, String defaultValue, long min, long max, String text) {
        return OptionSpec.of(key, Type.DURATION, defaultValue, text).withRange(min, max);
    }

    private static OptionSpec bytes(String key, String defaultValue, long min, long max, String text) {
        return OptionSpec.of(key, Type.BYTES, defaultValue, text).withRange(min, max);
    }
}
