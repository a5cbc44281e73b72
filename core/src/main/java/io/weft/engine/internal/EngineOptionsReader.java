package io.weft.engine.internal;

import io.weft.config.EngineOptions;
import io.weft.engine.internal.settings.EngineSettings;
import io.weft.spi.OptionValues;
import java.util.List;

/** From option values to settings. */
final class EngineOptionsReader {
    private EngineOptionsReader() {}

    static EngineSettings read(OptionValues o) {
        return new EngineSettings(
                o.nanos(EngineOptions.DEADLINE),
                o.bytes(EngineOptions.WINDOW),
                o.bytes(EngineOptions.PIECE),
                o.bytes(EngineOptions.LINK_WINDOW),
                o.bytes(EngineOptions.STAGING),
                (int) o.integer(EngineOptions.QUEUE_TRANSFERS),
                o.integer(EngineOptions.QUEUE_SEGMENTS),
                o.nanos(EngineOptions.CONNECT_TIMEOUT),
                o.nanos(EngineOptions.CANCEL_GRACE),
                o.nanos(EngineOptions.CLOSE_TIMEOUT),
                o.nanos(EngineOptions.DEREGISTER_TIMEOUT),
                o.nanos(EngineOptions.QUARANTINE),
                EngineAssembly.policy(o.string(EngineOptions.ROUTE_POLICY)),
                o.list(EngineOptions.ORDER),
                o.string(EngineOptions.TRUST).equals("strict"),
                o.bool(EngineOptions.PLAIN_NOTIFICATIONS),
                (int) o.integer(EngineOptions.NOTIFICATIONS),
                o.nanos(EngineOptions.NOTIFICATION_AGE),
                o.nanos(EngineOptions.STALL));
    }

    static String name(OptionValues o) {
        String name = o.string(EngineOptions.NAME);
        return name.isEmpty() ? HostName.get() + "-" + ProcessHandle.current().pid() : name;
    }

    static boolean exactKey(OptionValues o) {
        return o.bool(EngineOptions.EXACT_KEY);
    }

    static String nodeId(OptionValues o) {
        return o.string(EngineOptions.NODE_ID);
    }

    static long openNanos(OptionValues o) {
        return o.nanos(EngineOptions.OPEN_TIMEOUT);
    }

    static boolean hasSecret(OptionValues o) {
        return !o.string(EngineOptions.SECRET).isEmpty();
    }

    static List<String> plainPeers(OptionValues o) {
        return o.list(EngineOptions.PLAIN_PEERS);
    }
}
