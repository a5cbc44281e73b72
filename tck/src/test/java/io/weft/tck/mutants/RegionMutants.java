package io.weft.tck.mutants;

import io.weft.api.EngineDescriptor;
import io.weft.api.ErrorCode;
import io.weft.api.MemoryLocation;
import io.weft.api.Region;
import io.weft.api.RegisterOptions;
import io.weft.api.WeftException;
import io.weft.tck.harness.Codec;
import java.util.List;

/** Descriptors and regions that are not what they say. */
final class RegionMutants {
    private RegionMutants() {}

    static List<Mutant> all() {
        return List.of(
                Mutant.codec("DSC-1", "ports are packed one too high", "the packed bytes of", sound -> new Codec() {
                    @Override
                    public byte[] pack(EngineDescriptor d) {
                        return sound.pack(new EngineDescriptor(
                                d.key(), d.nodeId(), d.hostname(), d.host(), (d.port() + 1) % 65_536, d.pid()));
                    }
                }),
                Mutant.codec("DSC-2", "descriptors must have six fields", "must be read", sound -> new Codec() {
                    @Override
                    public EngineDescriptor unpackEngine(byte[] packed) {
                        if (packed.length > 0 && packed[0] != (byte) 0x96) {
                            throw new WeftException(ErrorCode.DECODE_ERROR, "not six fields");
                        }
                        return sound.unpackEngine(packed);
                    }
                }),
                Mutant.engine(
                        "REG-1",
                        "descriptors are a byte short",
                        "the descriptor's length",
                        Spoil.regions((region, method, args) -> {
                            Object result = Spoil.go(region, method, args);
                            return method.getName().equals("descriptor")
                                    ? region.descriptor().toBuilder()
                                            .range(region.address(), region.length() - 1)
                                            .build()
                                    : result;
                        })),
                Mutant.engine("REG-2", "any region is taken", "was not refused", (sound, method, args) -> {
                    try {
                        return Spoil.go(sound, method, args);
                    } catch (WeftException refused) {
                        if (method.getReturnType() == Region.class) {
                            return sound.allocate(MemoryLocation.HOST, 64, RegisterOptions.DEFAULT);
                        }
                        throw refused;
                    }
                }),
                Mutant.engine(
                        "REG-4",
                        "deregister does nothing",
                        "a write to a deregistered region",
                        Spoil.regions((region, method, args) ->
                                method.getName().equals("deregister") ? null : Spoil.go(region, method, args))));
    }
}
