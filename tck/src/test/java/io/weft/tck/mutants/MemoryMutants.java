package io.weft.tck.mutants;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryDescriptor;
import io.weft.api.MemoryLocation;
import io.weft.api.Region;
import io.weft.api.RegisterOptions;
import io.weft.api.TransferEngine;
import io.weft.api.WeftException;
import io.weft.spi.BackendContext;
import io.weft.spi.Link;
import io.weft.spi.Operation;
import io.weft.spi.OperationKind;
import io.weft.tck.harness.Codec;
import io.weft.testkit.CopiedOperation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Defects of regions, of bytes and of when they are seen. */
final class MemoryMutants {
    private static final int GUARD = 500;

    private MemoryMutants() {}

    static List<Mutant> all() {
        return List.of(
                Mutant.engine(
                        "REG-3",
                        "memory is registered once",
                        "the memory under all regions after a write of region 1",
                        new RegistersOnce()),
                Mutant.engine(
                        "REG-5",
                        "deregister does not wait",
                        "when deregister returned, must be terminal",
                        Spoil.regions((region, method, args) -> {
                            if (!method.getName().equals("deregister")) {
                                return Spoil.go(region, method, args);
                            }
                            Thread.ofVirtual().start(() -> region.close());
                            return null;
                        })),
                Mutant.engine("REG-6", "a full fabric is a defect", "was refused with INTERNAL", (sound, m, args) -> {
                    try {
                        return Spoil.go(sound, m, args);
                    } catch (WeftException refused) {
                        throw m.getReturnType() == Region.class
                                ? new WeftException(ErrorCode.INTERNAL, "it did not work")
                                : refused;
                    }
                }),
                Mutant.engine(
                        "REG-7",
                        "what is stale is called unknown",
                        "must be FAILED with STALE_DESCRIPTOR",
                        Spoil.codes(ErrorCode.STALE_DESCRIPTOR, ErrorCode.NOT_REGISTERED)),
                Mutant.engine(
                        "REG-9",
                        "every region has all rights",
                        "must be FAILED with REMOTE_ACCESS",
                        (sound, m, args) -> {
                            for (int i = 0; i < args.length; i++) {
                                args[i] = args[i] instanceof RegisterOptions ? RegisterOptions.DEFAULT : args[i];
                            }
                            return Spoil.go(sound, m, args);
                        }),
                Mutant.engine(
                        "REG-10",
                        "allocated memory is never freed",
                        "must be freed",
                        (sound, m, args) -> m.getName().equals("allocate")
                                ? sound.register(Arena.global().allocate((long) args[1]), (RegisterOptions) args[2])
                                : Spoil.go(sound, m, args)),
                Mutant.codec("DSC-3", "ids arrive one too high", "must be SUCCEEDED", sound -> new Codec() {
                    @Override
                    public MemoryDescriptor unpackMemory(byte[] packed) {
                        MemoryDescriptor d = sound.unpackMemory(packed);
                        return d.toBuilder().id(d.id() + 1).build();
                    }
                }),
                Mutant.posts(
                        "WR-7",
                        "the source of a write is changed",
                        "the source of a write",
                        (context, link, operation) -> {
                            int code = link.post(operation);
                            if (operation.kind() == OperationKind.WRITE) {
                                damage(operation.local(0).spec().segment().orElseThrow());
                            }
                            return code;
                        }),
                Mutant.posts(
                        "RD-7",
                        "the source of a read is changed",
                        "the source of a read",
                        (context, link, operation) -> {
                            int code = link.post(operation);
                            if (operation.kind() == OperationKind.READ) {
                                damage(remote(operation));
                            }
                            return code;
                        }),
                Mutant.posts(
                        "WR-9",
                        "a write completes before its bytes",
                        "the target when it learns of write",
                        MemoryMutants::completesEarly),
                Mutant.posts(
                        "RD-9",
                        "a read completes before its bytes",
                        "the initiator's region as",
                        MemoryMutants::completesEarly),
                Mutant.posts("MM-1", "an end happens before its bytes", "the target as", MemoryMutants::completesEarly),
                Mutant.posts(
                        "ORD-1",
                        "an awaited write is late",
                        "the target after the last of awaited writes",
                        MemoryMutants::completesEarly),
                Mutant.posts(
                        "BP-4",
                        "segments are copied",
                        "for each segment more",
                        (context, link, operation) -> link.post(new CopiedOperation(operation))),
                Mutant.engine("SEC-1a", "regions are longer than said", "the memory around the region", new TooLong()),
                Mutant.posts(
                        "SEC-1b",
                        "the target checks no bounds",
                        "the memory around the region",
                        MemoryMutants::checksNothing));
    }

    private static void damage(MemorySegment bytes) {
        bytes.set(ValueLayout.JAVA_BYTE, 0, (byte) (1 + bytes.get(ValueLayout.JAVA_BYTE, 0)));
    }

    @SuppressWarnings("restricted") // the defects reach memory by themselves
    private static MemorySegment remote(Operation operation) {
        MemoryDescriptor there = operation.remote(0).descriptor();
        return MemorySegment.ofAddress(there.address()).reinterpret(there.length());
    }

    /** What each engine said it had done, and does when it is asked for the next. */
    private static final Map<BackendContext, Runnable> OWED = new ConcurrentHashMap<>();

    private static int completesEarly(BackendContext context, Link link, Operation operation) {
        Runnable owed = OWED.remove(context);
        if (owed != null) {
            owed.run();
        }
        if (operation.totalBytes() < 100) {
            return link.post(operation);
        }
        CopiedOperation copy = new CopiedOperation(operation);
        MemorySegment here = copy.local(0).spec().segment().orElseThrow();
        MemorySegment there = remote(operation);
        boolean write = copy.kind() == OperationKind.WRITE;
        OWED.put(context, () -> {
            for (int i = 0; i < copy.lengths().length; i++) {
                MemorySegment.copy(
                        write ? here : there,
                        write ? copy.localOffsets()[i] : copy.remoteOffsets()[i],
                        write ? there : here,
                        write ? copy.remoteOffsets()[i] : copy.localOffsets()[i],
                        copy.lengths()[i]);
            }
        });
        context.completions().complete(copy.token(), 0, 0);
        return Link.ACCEPTED;
    }

    /** Writes a little beyond the end of a region, where a sound target refuses. */
    @SuppressWarnings("restricted") // the defect is that it reaches memory by itself
    private static int checksNothing(BackendContext context, Link link, Operation operation) {
        CopiedOperation copy = new CopiedOperation(operation);
        MemoryDescriptor there = copy.remote(0).descriptor();
        long end = copy.remoteOffsets()[0] + copy.lengths()[0];
        if (copy.remoteOffsets()[0] < 0 || end <= there.length() || end > there.length() + GUARD) {
            return link.post(operation);
        }
        MemorySegment.copy(
                copy.local(0).spec().segment().orElseThrow(),
                copy.localOffsets()[0],
                MemorySegment.ofAddress(there.address()).reinterpret(end),
                copy.remoteOffsets()[0],
                copy.lengths()[0]);
        context.completions().complete(copy.token(), 0, 0);
        return Link.ACCEPTED;
    }

    /** Gives for memory inside a region that region. */
    private static final class RegistersOnce implements Spoil.Around<TransferEngine> {
        private final Map<TransferEngine, List<Region>> known = new ConcurrentHashMap<>();

        @Override
        public Object call(TransferEngine sound, java.lang.reflect.Method method, Object[] args) throws Throwable {
            if (!method.getName().equals("register") || !(args[0] instanceof MemorySegment memory)) {
                return Spoil.go(sound, method, args);
            }
            List<Region> own = known.computeIfAbsent(sound, engine -> new CopyOnWriteArrayList<>());
            Optional<Region> around = own.stream()
                    .filter(r -> r.address() <= memory.address()
                            && memory.address() + memory.byteSize() <= r.address() + r.length())
                    .findFirst();
            if (around.isPresent()) {
                return around.get();
            }
            Region region = (Region) Spoil.go(sound, method, args);
            own.add(region);
            return region;
        }
    }

    /** Registers more than it says. */
    private static final class TooLong implements Spoil.Around<TransferEngine> {
        @Override
        public Object call(TransferEngine sound, java.lang.reflect.Method method, Object[] args) throws Throwable {
            if (!method.getName().equals("register")
                    || !(args[0] instanceof MemorySegment memory)
                    || memory.byteSize() != 2L * GUARD) {
                return Spoil.go(sound, method, args);
            }
            Region longer = sound.register(
                    memory.address(), memory.byteSize() + GUARD, MemoryLocation.HOST, (RegisterOptions) args[1]);
            return Spoil.around(
                    Region.class,
                    longer,
                    (region, m, none) -> m.getName().equals("descriptor")
                            ? region.descriptor().toBuilder()
                                    .range(region.address(), region.length() - GUARD)
                                    .build()
                            : Spoil.go(region, m, none));
        }
    }
}
