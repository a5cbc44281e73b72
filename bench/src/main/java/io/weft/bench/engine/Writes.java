package io.weft.bench.engine;

import io.weft.api.MemoryLocation;
import io.weft.api.Region;
import io.weft.api.RegisterOptions;
import io.weft.api.SegmentTable;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.api.TransferSession;
import io.weft.api.TransferState;
import io.weft.config.ConfigurationSources;
import io.weft.engine.EngineTelemetry;
import io.weft.engine.Weft;
import io.weft.spi.BackendProvider;
import io.weft.telemetry.MetricSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;

/**
 * Two engines of one process, and writes of 4 KiB from one to the other. For one thread. It implements the JDK's interfaces only, so that copies of it from
 * other class loaders can be called as well.
 */
public final class Writes implements Callable<Integer>, AutoCloseable {
    /** Writes of a call. */
    static final int BATCH = 64;

    private static final int BYTES = 4_096;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final TransferEngine initiator;
    private final TransferEngine target;
    private final TransferSession session;
    private final Transfer[] batch = new Transfer[BATCH];
    private final SegmentTable table = SegmentTable.single(0, 0, BYTES);

    /**
     * Opens the engines.
     *
     * @param backend name of a backend on the class path of this class's own loader
     */
    public Writes(String backend) {
        initiator = open(backend, "initiator");
        target = open(backend, "target");
        Region source = initiator.allocate(MemoryLocation.HOST, BYTES, RegisterOptions.DEFAULT);
        Region destination = target.allocate(MemoryLocation.HOST, BYTES, RegisterOptions.DEFAULT);
        initiator.addPeer(target.descriptor());
        session = initiator.session(source, destination.descriptor());
    }

    private static TransferEngine open(String backend, String name) {
        BackendProvider provider = ServiceLoader.load(BackendProvider.class, Writes.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .filter(found -> found.name().equals(backend))
                .findFirst()
                .orElseThrow();
        return Weft.builder()
                .configuration(ConfigurationSources.none(Path.of(".")))
                .name(name)
                .provider(provider)
                .open();
    }

    /** What the engine that writes counts. */
    MetricSource metrics() {
        return EngineTelemetry.of(initiator).orElseThrow().metrics();
    }

    /**
     * Writes 64 times and waits for all.
     *
     * @return how many succeeded, which is all of them
     * @throws InterruptedException if interrupted
     * @throws IllegalStateException if one failed
     */
    @Override
    public Integer call() throws InterruptedException {
        for (int i = 0; i < BATCH; i++) {
            batch[i] = session.write(table, TransferOptions.DEFAULT);
        }
        for (Transfer transfer : batch) {
            if (transfer.await(PATIENCE) != TransferState.SUCCEEDED) {
                throw new IllegalStateException(transfer.toString());
            }
        }
        return BATCH;
    }

    @Override
    public void close() {
        session.close();
        initiator.close();
        target.close();
    }
}
