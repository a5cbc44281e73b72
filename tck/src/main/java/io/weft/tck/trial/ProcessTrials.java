package io.weft.tck.trial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weft.api.EngineDescriptor;
import io.weft.api.ErrorCode;
import io.weft.api.MemoryLocation;
import io.weft.api.Region;
import io.weft.api.RegisterOptions;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whole engines in two processes, one of which is killed, stopped or asked to end. A test opens them before each trial. */
public abstract class ProcessTrials {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration REPORT = Duration.ofMinutes(1);
    private static final int PIECE = 1 << 20;

    private Map<String, String> theirs = Map.of();
    private @Nullable TransferEngine opened;
    private @Nullable Region block;

    /** Made by the subclass. */
    protected ProcessTrials() {}

    /**
     * Opens the engine that writes; must be called before each trial, and closes the one before if called again.
     *
     * @param mine options of the engine here
     * @param others options of each target in another process
     */
    protected final void open(Map<String, String> mine, Map<String, String> others) {
        close();
        theirs = others;
        TransferEngine here = EngineChild.open("parent", mine);
        opened = here;
        block = here.allocate(MemoryLocation.HOST, EngineChild.REGION, RegisterOptions.DEFAULT);
    }

    /**
     * How the engine here reaches a target; directly, unless a trial puts a network of its own between.
     *
     * @param target as the target describes itself
     * @return the same engine at the address to dial
     * @throws IOException if the way cannot be opened
     */
    protected EngineDescriptor way(EngineDescriptor target) throws IOException {
        return target;
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

    private static String residentKib(long pid) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .findFirst()
                    .orElse("")
                    .replaceAll("[^0-9]", "");
        }
    }

    private static void assertSucceeds(Transfer transfer) throws InterruptedException {
        assertEquals(TransferState.SUCCEEDED, transfer.await(PATIENCE), transfer::text);
    }

    /** Something done to the network between both processes. */
    @FunctionalInterface
    protected interface Network {
        /**
         * Does it, and again if called again.
         *
         * @throws Exception if it cannot be done
         */
        void change() throws Exception;
    }

    /**
     * While nothing comes through, transfers end in bounds; afterwards no byte of them lands behind the target's fence, and new
     * ones succeed on a link that is built anew.
     *
     * @param cut lets nothing through
     * @param heal lets everything through
     * @param evidence what the text of a failed transfer must name
     * @throws Exception if a step cannot be done
     */
    protected final void whileCutTransfersEndAndAfterHealingNewOnesSucceed(Network cut, Network heal, String evidence)
            throws Exception {
        try (EngineChild child = new EngineChild(theirs)) {
            engine().addPeer(way(child.engine));
            source().segment().orElseThrow().fill((byte) 1);
            assertSucceeds(write(child, 64, PATIENCE));
            List<Transfer> many = new ArrayList<>();
            try {
                for (int i = 0; i < 40; i++) {
                    many.add(write(child, EngineChild.REGION, Duration.ofSeconds(15)));
                }
                cut.change();
                long since = System.nanoTime();
                for (Transfer transfer : many) {
                    assertTrue(transfer.await(PATIENCE).isTerminal(), transfer::toString);
                }
                Duration took = Duration.ofNanos(System.nanoTime() - since);
                assertTrue(took.compareTo(Duration.ofSeconds(20)) < 0, () -> "it took " + took);
                List<String> failed = many.stream()
                        .filter(transfer -> transfer.state() == TransferState.FAILED)
                        .map(Transfer::text)
                        .distinct()
                        .toList();
                assertTrue(failed.stream().anyMatch(text -> text.contains(evidence)), failed::toString);
                // What was terminal may be used again: the target must never see these bytes.
                source().segment().orElseThrow().fill((byte) 2);
                fenceAndMark(child);
            } finally {
                heal.change();
            }
            assertNothingLandedAndNewTransfersSucceed(child);
        }
    }

    /**
     * A network that loses little costs time only.
     *
     * @param lossy makes it lose some
     * @param heal lets everything through
     * @throws Exception if a step cannot be done
     */
    protected final void succeedsOverALossyNetwork(Network lossy, Network heal) throws Exception {
        try (EngineChild child = new EngineChild(theirs)) {
            engine().addPeer(way(child.engine));
            assertSucceeds(write(child, 64, PATIENCE));
            lossy.change();
            try {
                source().segment().orElseThrow().fill((byte) 4);
                assertSucceeds(write(child, EngineChild.REGION, PATIENCE));
                assertEquals("yes", child.ask("only 4"));
                child.ask("fill 6");
                assertSucceeds(
                        engine().read(source(), 0, child.memory, 0, EngineChild.REGION, TransferOptions.DEFAULT));
                assertEquals("yes", EngineChild.only(source().segment().orElseThrow(), 6));
            } finally {
                heal.change();
            }
        }
    }

    private void fenceAndMark(EngineChild child) throws IOException {
        // Only what was fenced may be used again: a target that could not fence promises nothing (rule DL-5).
        assertEquals("fenced", child.ask("fence " + engine().descriptor().key()));
        child.ask("fill 7");
    }

    private void assertNothingLandedAndNewTransfersSucceed(EngineChild child) throws Exception {
        assertEquals("yes", child.ask("watch 7"));
        source().segment().orElseThrow().fill((byte) 3);
        assertSucceedsInTheEnd(child);
        assertEquals("yes", child.ask("only 3"));
    }

    private void assertSucceedsInTheEnd(EngineChild child) throws InterruptedException {
        long until = System.nanoTime() + PATIENCE.toNanos();
        TransferState state;
        do {
            state = write(child, EngineChild.REGION, Duration.ofSeconds(10)).await(PATIENCE);
        } while (state != TransferState.SUCCEEDED && System.nanoTime() < until);
        assertEquals(TransferState.SUCCEEDED, state, "after the trouble was over");
    }

    @Test
    void writesAndReadsAcrossProcesses() throws Exception {
        try (EngineChild child = new EngineChild(theirs)) {
            engine().addPeer(way(child.engine));
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
                engine().addPeer(way(child.engine));
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
            engine().addPeer(way(next.engine));
            assertSucceeds(write(next, EngineChild.REGION, PATIENCE));
        }
    }

    @Test
    void aStoppedTargetCostsItsTransfersOnlyAndNoByteLandsLate() throws Exception {
        try (EngineChild child = new EngineChild(theirs)) {
            engine().addPeer(way(child.engine));
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
            fenceAndMark(child);
            assertNothingLandedAndNewTransfersSucceed(child);
        }
    }

    /** A soak where {@code weft.trial.seconds} says so: collections on both sides while bytes move, and SIGTERM in the middle of it. */
    @Test
    void survivesCollectionsAndHonoursSigterm() throws Exception {
        Duration lasts = Duration.ofSeconds(Long.getLong("weft.trial.seconds", 2));
        try (EngineChild child = new EngineChild(theirs)) {
            engine().addPeer(way(child.engine));
            long end = System.nanoTime() + lasts.toNanos();
            long nextReport = System.nanoTime();
            long rounds = 0;
            do {
                int value = (int) (rounds % 100);
                source().segment().orElseThrow().fill((byte) value);
                List<Transfer> during = new ArrayList<>();
                for (long at = 0; at < EngineChild.REGION; at += PIECE) {
                    during.add(engine().write(source(), at, child.memory, at, PIECE, TransferOptions.DEFAULT));
                }
                assertEquals("collected", child.ask("gc"));
                System.gc();
                for (Transfer transfer : during) {
                    assertSucceeds(transfer);
                }
                assertEquals("yes", child.ask("only " + value));

                child.ask("fill " + (value + 1));
                Transfer back =
                        engine().read(source(), 0, child.memory, 0, EngineChild.REGION, TransferOptions.DEFAULT);
                System.gc();
                assertSucceeds(back);
                assertEquals("yes", EngineChild.only(source().segment().orElseThrow(), value + 1));
                rounds++;
                if (System.nanoTime() - nextReport >= 0) {
                    System.out.println(Instant.now() + " rounds " + rounds + ", resident KiB here "
                            + residentKib(ProcessHandle.current().pid()) + ", there " + residentKib(child.pid()));
                    nextReport = System.nanoTime() + REPORT.toNanos();
                }
            } while (System.nanoTime() - end < 0);

            List<Transfer> cut = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                cut.add(write(child, EngineChild.REGION, PATIENCE));
            }
            assertEquals(143, child.endBySigterm());
            assertTrue(child.remainingOutput().contains("hook ran"), "the shutdown hook did not run");
            for (Transfer transfer : cut) {
                assertTrue(transfer.await(PATIENCE.multipliedBy(2)).isTerminal(), transfer::toString);
            }
            System.out.println(Instant.now() + " SIGTERM: exit 143, hook ran; rounds " + rounds);
        }
    }
}
