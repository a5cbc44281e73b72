package io.weft.ffi.device;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryKind;
import io.weft.api.WeftException;
import io.weft.ffi.LibrarySearch;
import io.weft.ffi.MissingSymbolException;
import io.weft.ffi.NativeLibrary;
import io.weft.spi.Availability;
import io.weft.spi.DeviceMemory;
import io.weft.spi.DeviceMemoryProvider;
import io.weft.spi.SpiLevel;
import java.util.List;
import java.util.function.Function;

/** Finds a driver's library and opens it. The constructor loads nothing. Safe from any thread. */
abstract sealed class GpuProvider implements DeviceMemoryProvider permits CudaProvider, HipProvider {
    private final MemoryKind kind;
    private final LibrarySearch search;
    private final String remedy;
    private final Function<NativeLibrary, GpuDriver> binding;

    GpuProvider(MemoryKind kind, List<String> places, String remedy, Function<NativeLibrary, GpuDriver> binding) {
        this.kind = kind;
        this.search = LibrarySearch.of(places);
        this.remedy = remedy;
        this.binding = binding;
    }

    @Override
    public final MemoryKind kind() {
        return kind;
    }

    @Override
    public final SpiLevel builtFor() {
        return new SpiLevel(SpiLevel.MAJOR, SpiLevel.MINOR);
    }

    @Override
    public final Availability probe(long deadlineNanos) {
        LibrarySearch.Result found = search.run();
        if (found.library().isEmpty()) {
            return Availability.unusable("the " + kind + " driver's library was not found", remedy)
                    .withEvidence(found.lines());
        }
        try (GpuDriver driver = binding.apply(found.library().get())) {
            if (driver.deviceCount() == 0) {
                return Availability.unusable("the " + kind + " driver has no device", remedy)
                        .withEvidence(found.lines());
            }
            return Availability.usable(GpuMemory.devices(driver)).withEvidence(found.lines());
        } catch (WeftException | MissingSymbolException e) {
            return Availability.unusable(String.valueOf(e.getMessage()), remedy).withEvidence(found.lines());
        }
    }

    @Override
    public final DeviceMemory open() {
        LibrarySearch.Result found = search.run();
        NativeLibrary library = found.library()
                .orElseThrow(() -> new WeftException(
                        ErrorCode.DEVICE,
                        "the " + kind + " driver's library was not found: " + String.join("; ", found.lines())));
        try {
            return new GpuMemory(binding.apply(library));
        } catch (MissingSymbolException e) {
            throw new WeftException(ErrorCode.DEVICE, e.getMessage(), e);
        }
    }
}
