package io.weft.tck.mutants;

import io.weft.api.Access;
import io.weft.api.MemoryKind;
import io.weft.api.MemoryLocation;
import io.weft.api.Region;
import io.weft.api.TransferOptions;
import io.weft.spi.Backend;
import io.weft.spi.BackendContext;
import io.weft.spi.BackendProvider;
import io.weft.spi.Capabilities;
import io.weft.spi.LocalMemory;
import io.weft.spi.MemorySpec;
import io.weft.spi.OperationKind;
import io.weft.spi.Visibility;
import io.weft.testkit.ForwardingBackend;
import io.weft.testkit.ForwardingProvider;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Defects around device memory. */
final class DeviceMutants {
    private static final MemoryKind FAKE = new MemoryKind("fake");

    private DeviceMutants() {}

    static List<Mutant> all() {
        return List.of(
                Mutant.engine(
                        "DEV-1",
                        "a write of device memory misses the last byte",
                        "what a write left",
                        (sound, method, a) -> {
                            if (method.getName().equals("write") && onDevice(a[0])) {
                                a[4] = (long) a[4] - 1;
                            }
                            return Spoil.go(sound, method, a);
                        }),
                Mutant.engine(
                        "DEV-2",
                        "offsets in device memory are rounded down to 8",
                        "the target after",
                        (sound, method, a) -> {
                            if (method.getName().equals("write") && onDevice(a[0])) {
                                a[1] = (long) a[1] & ~7L;
                            }
                            return Spoil.go(sound, method, a);
                        }),
                Mutant.engine(
                        "DEV-3",
                        "the route policy is ignored",
                        "a staged write under route policy fail",
                        (sound, method, a) -> {
                            if (method.getName().equals("write")) {
                                a[5] = TransferOptions.DEFAULT;
                            }
                            return Spoil.go(sound, method, a);
                        }),
                Mutant.backend(
                        "DEV-4",
                        "device memory is declared and copied by the CPU",
                        "ended by a signal",
                        sound -> new Direct(sound, true)),
                Mutant.backend(
                        "DEV-5",
                        "direct is declared and carries nothing",
                        "declared direct",
                        sound -> new Direct(sound, false)),
                Mutant.engine("DEV-6", "readyWhen is ignored", "whether a write ended before", (sound, method, a) -> {
                    if (method.getName().equals("write")) {
                        a[5] = TransferOptions.DEFAULT;
                    }
                    return Spoil.go(sound, method, a);
                }));
    }

    private static boolean onDevice(Object region) {
        return region instanceof Region local && !local.location().kind().isHost();
    }

    /** Declares writes and reads between device memory here and host memory there. */
    private static final class Direct extends ForwardingProvider {
        private final boolean touches;

        Direct(BackendProvider sound, boolean touches) {
            super(sound);
            this.touches = touches;
        }

        @Override
        public Backend open(BackendContext context) {
            return new ForwardingBackend(super.open(context)) {
                @Override
                public Capabilities capabilities() {
                    return Capabilities.builder()
                            .reach(Capabilities.Reach.PROCESS)
                            .supportsHost(Visibility.COMPLETION)
                            .supports(OperationKind.WRITE, FAKE, MemoryKind.HOST, Visibility.COMPLETION)
                            .supports(OperationKind.READ, FAKE, MemoryKind.HOST, Visibility.COMPLETION)
                            .build();
                }

                @Override
                public LocalMemory register(MemorySpec spec) {
                    return super.register(spec.segment().isPresent() ? spec : new AsHost(spec, bytes(spec)));
                }
            };
        }

        /** The device's bytes as if the CPU could reach them, or others that nobody sees. */
        @SuppressWarnings("restricted") // that is the defect
        private MemorySegment bytes(MemorySpec spec) {
            return touches
                    ? MemorySegment.ofAddress(spec.address()).reinterpret(spec.length())
                    : Arena.ofAuto().allocate(spec.length());
        }
    }

    private record AsHost(MemorySpec spec, MemorySegment bytes) implements MemorySpec {
        @Override
        public int regionId() {
            return spec.regionId();
        }

        @Override
        public long address() {
            return bytes.address();
        }

        @Override
        public long length() {
            return spec.length();
        }

        @Override
        public MemoryLocation location() {
            return spec.location();
        }

        @Override
        public Set<Access> access() {
            return spec.access();
        }

        @Override
        public Optional<MemorySegment> segment() {
            return Optional.of(bytes);
        }
    }
}
