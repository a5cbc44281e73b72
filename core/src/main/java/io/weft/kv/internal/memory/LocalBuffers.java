package io.weft.kv.internal.memory;

import io.weft.api.Access;
import io.weft.api.MemoryDescriptor;
import io.weft.api.Region;
import io.weft.api.RegisterOptions;
import io.weft.api.TransferEngine;
import io.weft.api.WeftException;
import io.weft.engine.Descriptors;
import io.weft.kv.layout.BufferSpec;
import io.weft.kv.layout.KvArgs;
import io.weft.kv.layout.StateSpec;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The buffers of a rank, registered with its engine. Immutable after opening. */
public final class LocalBuffers implements AutoCloseable {
    private static final Logger LOG = System.getLogger(LocalBuffers.class.getName());

    private final KvArgs args;
    private final List<Region> kv = new ArrayList<>();
    private final List<Region> aux = new ArrayList<>();
    private final List<List<Region>> state = new ArrayList<>();

    /**
     * Registers everything; nothing stays registered if one buffer is refused.
     *
     * @param engine the engine
     * @param args the buffers
     * @param access what may be done with them
     */
    public LocalBuffers(TransferEngine engine, KvArgs args, Set<Access> access) {
        this.args = args;
        RegisterOptions options = RegisterOptions.DEFAULT.withAccess(access);
        try {
            args.kv().forEach(b -> kv.add(register(engine, b, options)));
            args.aux().forEach(b -> aux.add(register(engine, b, options)));
            for (StateSpec component : args.state()) {
                List<Region> tensors = new ArrayList<>();
                state.add(tensors);
                component.tensors().forEach(b -> tensors.add(register(engine, b, options)));
            }
        } catch (WeftException refused) {
            close();
            throw refused;
        }
    }

    /**
     * KV buffers.
     *
     * @return regions by position
     */
    public List<Region> kv() {
        return kv;
    }

    /**
     * Aux buffers.
     *
     * @return regions by position
     */
    public List<Region> aux() {
        return aux;
    }

    /**
     * State components.
     *
     * @return regions by component and tensor
     */
    public List<List<Region>> state() {
        return state;
    }

    /**
     * The rows of an aux buffer in CPU memory.
     *
     * @param buffer which buffer
     * @return its memory
     */
    public AuxRows auxRows(int buffer) {
        return new AuxRows(args.aux().get(buffer), aux.get(buffer).segment().orElseThrow());
    }

    /**
     * Descriptors as they travel.
     *
     * @param regions some of the regions
     * @return packed descriptors
     */
    public static List<byte[]> packed(List<Region> regions) {
        return regions.stream().map(r -> Descriptors.pack(r.descriptor())).toList();
    }

    /**
     * Descriptors from a peer.
     *
     * @param packed packed descriptors
     * @return the descriptors
     * @throws WeftException DECODE_ERROR
     */
    public static List<MemoryDescriptor> unpacked(List<byte[]> packed) {
        return packed.stream().map(Descriptors::unpackMemory).toList();
    }

    @Override
    public void close() {
        Stream.of(kv, aux, state.stream().flatMap(List::stream).toList())
                .flatMap(List::stream)
                .forEach(LocalBuffers::deregister);
    }

    private static void deregister(Region region) {
        try {
            region.deregister(Duration.ZERO);
        } catch (WeftException held) {
            LOG.log(
                    Level.ERROR,
                    "WEFT-LEFT-BEHIND deregister " + region.descriptor() + ": memory must not be freed",
                    held);
        }
    }

    private static Region register(TransferEngine engine, BufferSpec buffer, RegisterOptions options) {
        return engine.register(buffer.address(), buffer.length(), buffer.location(), options);
    }
}
