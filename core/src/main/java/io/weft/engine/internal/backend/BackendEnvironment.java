package io.weft.engine.internal.backend;

import io.weft.api.MemoryKind;
import io.weft.engine.internal.concurrent.EngineThreads;
import io.weft.spi.DeviceMemory;
import io.weft.spi.EngineClock;
import io.weft.spi.InboundSink;
import io.weft.spi.PeerDirectory;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * What all backends of one engine get alike.
 *
 * @param engineKey wire key
 * @param incarnation 64 random bits
 * @param advertisedHost numeric address that peers dial
 * @param clock clock of all deadlines
 * @param threads makes the engine's threads
 * @param peers who may connect, by backend index
 * @param inbound where ends of inbound transfers go
 * @param deviceMemory device memory by kind
 */
public record BackendEnvironment(
        String engineKey,
        long incarnation,
        String advertisedHost,
        EngineClock clock,
        EngineThreads threads,
        IntFunction<PeerDirectory> peers,
        InboundSink inbound,
        Function<MemoryKind, Optional<DeviceMemory>> deviceMemory) {}
