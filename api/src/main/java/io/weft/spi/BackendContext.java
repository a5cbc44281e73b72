package io.weft.spi;

import io.weft.api.MemoryKind;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;

/**
 * Everything a backend gets from core. Implemented by Weft only; valid from open until {@link Backend#close} returned; safe
 * from any thread. A backend reads no environment variable and no system property by itself.
 *
 * @since 0.1
 */
public interface BackendContext {
    /**
     * This engine's wire key.
     *
     * @return the key
     */
    String engineKey();

    /**
     * This engine's incarnation.
     *
     * @return 64 random bits, never 0
     */
    long incarnation();

    /**
     * Numeric address that peers dial to reach this engine; local sockets should be bound to it.
     *
     * @return an address, never a wildcard
     */
    String advertisedHost();

    /**
     * This backend's options.
     *
     * @return validated values
     */
    OptionValues options();

    /**
     * Where completions go.
     *
     * @return the sink
     */
    CompletionSink completions();

    /**
     * Where ends of inbound transfers go.
     *
     * @return the sink
     */
    InboundSink inbound();

    /**
     * Who may connect.
     *
     * @return the directory
     */
    PeerDirectory peers();

    /**
     * Sets who answers the peer's side of this backend; at most once, during open.
     *
     * @param requests the server
     */
    void serve(PeerRequests requests);

    /**
     * Makes named daemon threads that core counts; the backend ends them in close.
     *
     * @return a factory of platform threads
     */
    ThreadFactory threads();

    /**
     * The clock of all deadlines.
     *
     * @return the clock
     */
    EngineClock clock();

    /**
     * Where to count.
     *
     * @return metrics of this backend
     */
    Metrics metrics();

    /**
     * The provider of a device memory kind, opened for this engine.
     *
     * @param kind the kind
     * @return the device memory, empty if no provider is usable
     */
    Optional<DeviceMemory> deviceMemory(MemoryKind kind);
}
