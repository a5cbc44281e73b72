package io.weft.backend.tcp;

import io.weft.spi.OptionSpec;
import io.weft.spi.OptionSpec.Type;
import io.weft.spi.OptionValues;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The backend's options.
 *
 * @param lanes connections per peer
 * @param stripeBytes bytes of an operation per lane it is spread over
 * @param chunkBytes payload of a chunk between Weft engines
 * @param operations operations in flight per link
 * @param reactors threads
 * @param spinNanos how long a reactor spins before it blocks
 * @param sendBuffer SO_SNDBUF, 0 for the kernel's own tuning
 * @param receiveBuffer SO_RCVBUF, 0 for the kernel's own tuning
 * @param keepAlive SO_KEEPALIVE
 * @param greetingNanos how long a new connection may take to show whose it is
 * @param plainTimeoutNanos how long an operation of a plain MORI-IO peer may stay unfinished
 */
record TcpSettings(
        int lanes,
        long stripeBytes,
        int chunkBytes,
        int operations,
        int reactors,
        long spinNanos,
        int sendBuffer,
        int receiveBuffer,
        boolean keepAlive,
        long greetingNanos,
        long plainTimeoutNanos) {

    static final List<OptionSpec> SPECS = List.of(
            OptionSpec.integer(
                    "lanes",
                    8,
                    1,
                    LaneWire.MAX_LANES,
                    "Connections to each peer. Towards plain MORI-IO engines at most 8 are opened, its default limit."),
            bytes(
                    "stripe-bytes",
                    "1MiB",
                    4 << 10,
                    1L << 40,
                    "An operation is spread over one lane for each so many bytes. Smaller ones use one lane,"
                            + " which costs less than waking several."),
            bytes(
                    "chunk-bytes",
                    "256KiB",
                    LaneWire.MIN_CHUNK,
                    LaneWire.MAX_CHUNK,
                    "Payload of one chunk between Weft engines: the unit of fairness, and what a cancel still has to"
                            + " wait for."),
            OptionSpec.integer("operations", 256, 1, 4_096, "Operations in flight on one link."),
            OptionSpec.integer(
                    "reactors",
                    0,
                    0,
                    64,
                    "Threads that serve all connections; 0 means one for every four processors, at most eight."),
            OptionSpec.of(
                            "spin",
                            Type.DURATION,
                            "50us",
                            "How long a reactor looks for more work before it sleeps, while that pays; 0us always sleeps.")
                    .withRange(0, TimeUnit.SECONDS.toNanos(1)),
            bytes("send-buffer", "0B", 0, 1L << 30, "Socket send buffer; 0 leaves it to the kernel's own tuning."),
            bytes(
                    "receive-buffer",
                    "0B",
                    0,
                    1L << 30,
                    "Socket receive buffer; 0 leaves it to the kernel's own tuning."),
            OptionSpec.of(
                    "keep-alive",
                    Type.BOOLEAN,
                    "true",
                    "Whether the kernel probes idle connections. Weft peers are watched by heartbeat besides."),
            OptionSpec.of(
                            "greeting-timeout",
                            Type.DURATION,
                            "5s",
                            "How long an accepted connection may take to show whose it is.")
                    .withRange(TimeUnit.MILLISECONDS.toNanos(10), TimeUnit.MINUTES.toNanos(5)),
            OptionSpec.of(
                            "plain-timeout",
                            Type.DURATION,
                            "30s",
                            "How long an operation that a plain MORI-IO engine began may stay unfinished before its"
                                    + " connections are closed.")
                    .withRange(TimeUnit.MILLISECONDS.toNanos(100), TimeUnit.HOURS.toNanos(1)));

    private static OptionSpec bytes(String key, String value, long least, long most, String text) {
        return OptionSpec.of(key, Type.BYTES, value, text).withRange(least, most);
    }

    static TcpSettings of(OptionValues values) {
        long reactors = values.integer("reactors");
        if (reactors == 0) {
            reactors = Math.clamp(Runtime.getRuntime().availableProcessors() / 4, 1, 8);
        }
        return new TcpSettings(
                (int) values.integer("lanes"),
                values.bytes("stripe-bytes"),
                (int) values.bytes("chunk-bytes"),
                (int) values.integer("operations"),
                (int) reactors,
                values.nanos("spin"),
                (int) values.bytes("send-buffer"),
                (int) values.bytes("receive-buffer"),
                values.bool("keep-alive"),
                values.nanos("greeting-timeout"),
                values.nanos("plain-timeout"));
    }
}
