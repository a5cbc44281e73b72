package io.weft.tck.mutants;

import io.weft.api.Access;
import io.weft.api.MemoryLocation;
import io.weft.spi.Backend;
import io.weft.spi.BackendContext;
import io.weft.spi.BackendProvider;
import io.weft.spi.DmaBuf;
import io.weft.spi.LocalMemory;
import io.weft.spi.MemorySpec;
import io.weft.spi.Peer;
import io.weft.testkit.ForwardingBackend;
import io.weft.testkit.ForwardingProvider;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Backends that leave to core at the initiator what the target has to do. */
final class TargetMutants {
    private TargetMutants() {}

    static List<Mutant> all() {
        return List.of(
                target(
                        "DL-5",
                        "fencePeer does nothing",
                        "over a link that was kept",
                        sound -> new ForwardingBackend(sound) {
                            @Override
                            public boolean fencePeer(Peer peer, long deadlineNanos) {
                                return true;
                            }
                        }),
                target(
                        "REG-4",
                        "a deregistered key still works",
                        "by a key that was kept",
                        sound -> new ForwardingBackend(sound) {
                            @Override
                            public boolean deregister(LocalMemory memory, long deadlineNanos) {
                                return true;
                            }
                        }),
                target(
                        "SEC-1b",
                        "the target checks no rights",
                        "to a region that peers may only read",
                        sound -> new ForwardingBackend(sound) {
                            @Override
                            public LocalMemory register(MemorySpec spec) {
                                return super.register(new AllRights(spec));
                            }
                        }));
    }

    private static Mutant target(String rule, String defect, String message, UnaryOperator<Backend> spoil) {
        return Mutant.backend(rule, defect, message, sound -> new Spoiled(sound, spoil));
    }

    private static final class Spoiled extends ForwardingProvider {
        private final UnaryOperator<Backend> spoil;

        Spoiled(BackendProvider sound, UnaryOperator<Backend> spoil) {
            super(sound);
            this.spoil = spoil;
        }

        @Override
        public Backend open(BackendContext context) {
            return spoil.apply(super.open(context));
        }
    }

    private record AllRights(MemorySpec sound) implements MemorySpec {
        @Override
        public int regionId() {
            return sound.regionId();
        }

        @Override
        public long address() {
            return sound.address();
        }

        @Override
        public long length() {
            return sound.length();
        }

        @Override
        public MemoryLocation location() {
            return sound.location();
        }

        @Override
        public Set<Access> access() {
            return Access.ALL;
        }

        @Override
        public Optional<MemorySegment> segment() {
            return sound.segment();
        }

        @Override
        public Optional<DmaBuf> dmaBuf() {
            return sound.dmaBuf();
        }
    }
}
