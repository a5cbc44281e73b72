package io.weft.engine.internal.control;

import io.weft.spi.Capabilities.Enforcement;
import io.weft.spi.TransferSupport;
import java.util.List;

/**
 * One open backend of an engine, as peers see it.
 *
 * @param name provider name
 * @param version provider version, for explanations only
 * @param address what {@code Backend.localAddress} gave, at most 4 096 bytes
 * @param enforcement who enforces bounds
 * @param transfers what it moves directly
 */
public record BackendHello(
        String name, String version, byte[] address, Enforcement enforcement, List<TransferSupport> transfers) {
    /** Copies the list; the array is not copied. */
    public BackendHello {
        transfers = List.copyOf(transfers);
    }
}
