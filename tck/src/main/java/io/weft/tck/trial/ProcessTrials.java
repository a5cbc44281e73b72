package io.weft.tck.trial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryLocation;
import io.weft.api.Region;
import io.weft.api.RegisterOptions;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whole engines in two processes, one of which is killed, stopped or asked to end. A test opens them before each trial. */
public abstract class ProcessTrials {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private Map<String, String> theirs = Map.of();
    private @Nullable TransferEngine opened;
    private @Nullable Region block;

    /** Made by the subclass. */
    protected ProcessTrials() {}

    /**
     * Opens the engine that writes; must be called before each trial.
     *
     * @param mine options of the engine here
     * @param others options of each target in another process
     */
    protected final void open(Map<String, String> mine, Map<String, String> others) {
        theirs = others;
        TransferEngine here = EngineChild.open("parent", mine);
        opened = here;
        block = here.allocate(MemoryLocation.HOST, EngineChild.REGION, RegisterOptions.DEFAULT);
    }

    private TransferEngine engine() {
        return Objects.requireNonNull(opened, "call open before each trial");
    }

    private Region source() {
        return Objects.requireNonNull(block, "call open before each trial");
    }

    @AfterEach
    void close() {
        if (opened != null) {
            opened.close(Duration.ofSeconds(10));
        }
    }

    private Transfer write(EngineChild child, long length, Duration deadline) {
        return engine().write(source(), 0, child.memory, 0, length, TransferOptions.DEFAULT.withDeadline(deadline));
    }

    private static void assertSucceeds(Transfer transfer) throws InterruptedException {
        assertEquals(TransferState.SUCCEEDED, transfer.await(PATIENCE), transfer::text);
    }

    @Test
    void writesAndReadsAcrossProcesses() throws Exception {
        try (EngineChild child = new EngineChild(theirs)) {
            engine().addPeer(child.engine);
            source().segment().orElseThrow().fill((byte) 5);
            assertSucceeds(write(child, EngineChild.REGION, PATIENCE));
            assertEquals("yes", child.ask("only 5"));

            child.ask("fill 9");
            assertSucceeds(engine().read(source(), 0, child.memory, 0, EngineChild.REGION, TransferOptions.DEFAULT));
            assertEquals("yes", EngineChild.only(source().segment().orElseThrow(), 9));
        }
    }

    @Test
    void aTargetKilledInMidWriteIsLostInBoundsAndItsSuccessorWorks() throws Exception {
        for (int round = 0; round < 3; round++) {
            try (EngineChild child = new EngineChild(theirs)) {
                engine().addPeer(child.engine);
                assertSucceeds(write(child, 64, PATIENCE));
                List<Transfer> many = new ArrayList<>();
                for (int i = 0; i < 40; i++) {
                    many.add(write(child, EngineChild.REGION, Duration.ofSeconds(20)));
                }
                many.get(1).await(PATIENCE);

                child.killAndWait();

                long killed = System.nanoTime();
                for (Transfer transfer : many) {
                    assertTrue(transfer.await(PATIENCE).isTerminal(), transfer::toString);
                }
                Duration took = Duration.ofNanos(System.nanoTime() - killed);
                assertTrue(took.compareTo(Duration.ofSeconds(25)) < 0, () -> "it took " + took);
                Transfer last = many.getLast();
                assertEquals(TransferState.FAILED, last.state());
                ErrorCode code = last.code().orElseThrow();
                assertTrue(code == ErrorCode.PEER_LOST || code == ErrorCode.UNREACHABLE, last::toString);
                engine().removePeer(child.engine.key());
            }
        }
        try (EngineChild next = new EngineChild(theirs)) {
            engine().addPeer(next.engine);
            assertSucceeds(write(next, EngineChild.REGION, PATIENCE));
        }
    }

    @Test
    void aStoppedTargetCostsItsTransfersOnlyAndNoByteLandsLate() throws Exception {
        try (EngineChild child = new EngineChild(theirs)) {
            engine().addPeer(child.engine);
            source().segment().orElseThrow().fill((byte) 1);
            assertSucceeds(write(child, 64, PATIENCE));
            List<Transfer> many = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                many.add(write(child, EngineChild.REGION, Duration.ofSeconds(2)));
            }
            child.signal("STOP");
            for (Transfer transfer : many) {
                assertTrue(transfer.await(PATIENCE).isTerminal(), transfer::toString);
            }
            // What was terminal may be used again: the target must never see these bytes.
            source().segment().orElseThrow().fill((byte) 2);
            child.signal("CONT");
            child.ask("fence " + engine().descriptor().key());
            child.ask("fill 7");
            child.ask("gc");
            assertEquals("yes", child.ask("only 7"));

            source().segment().orElseThrow().fill((byte) 3);
            long until = System.nanoTime() + PATIENCE.toNanos();
            TransferState again;
            do {
                again = write(child, EngineChild.REGION, Duration.ofSeconds(10)).await(PATIENCE);
            } while (again != TransferState.SUCCEEDED && System.nanoTime() < until);
            assertEquals(TransferState.SUCCEEDED, again, "after the target went on");
            assertEquals("yes", child.ask("only 3"));
        }
    }

    @Test
    void survivesCollectionsAndHonoursSigterm() throws Exception {
        try (EngineChild child = new EngineChild(theirs)) {
            engine().addPeer(child.engine);
            assertSucceeds(write(child, EngineChild.REGION, PATIENCE));
            for (int i = 0; i < 5; i++) {
                Transfer during = write(child, EngineChild.REGION, PATIENCE);
                assertEquals("collected", child.ask("gc"));
                System.gc();
                assertSucceeds(during);
            }

            assertEquals(143, child.endBySigterm());
            assertTrue(child.remainingOutput().contains("hook ran"), "the shutdown hook did not run");
        }
    }
}
