package io.weft.tck.harness;

import io.weft.api.Access;
import io.weft.api.ErrorCode;
import io.weft.api.MemoryKind;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one case of a rule works with: an initiator in this process, a target wherever the case wants it, memory on both sides.
 * Engines are opened when first asked for and closed at the end. Confined to the test's thread.
 */
public final class Rig implements AutoCloseable {
    private final Run run;
    private final Case permutation;
    private final SplittableRandom random;
    private final Sides sides;
    private final Setup setup;
    private final List<Transfer> transfers = Collections.synchronizedList(new ArrayList<>());
    private final Deque<AutoCloseable> layers = new ArrayDeque<>();
    private @Nullable EngineTarget initiator;
    private @Nullable Target target;

    /**
     * Prepares a case.
     *
     * @param run the run
     * @param permutation the case
     */
    public Rig(Run run, Case permutation) {
        this.run = run;
        this.permutation = permutation;
        this.sides = new Sides(run, permutation.topology());
        this.random = new SplittableRandom(permutation.seed());
        this.setup = new Setup(run, random);
    }

    /**
     * The case.
     *
     * @return the permutation
     */
    public Case permutation() {
        return permutation;
    }

    /**
     * The run.
     *
     * @return the run
     */
    public Run run() {
        return run;
    }

    /**
     * The waiting times.
     *
     * @return the clocks
     */
    public Clocks clocks() {
        return run.clocks();
    }

    /**
     * What engines are opened with.
     *
     * @return to be changed before the first engine is opened
     */
    public Setup setup() {
        return setup;
    }

    /**
     * Both sides, and what else is opened.
     *
     * @return the engines of this case
     */
    public Sides sides() {
        return sides;
    }

    /**
     * Where random values come from.
     *
     * @return seeded by the case
     */
    public SplittableRandom random() {
        return random;
    }

    /**
     * The initiator.
     *
     * @return its engine
     */
    public TransferEngine engine() {
        return here().engine();
    }

    /**
     * The initiator, as the kit's handle of it.
     *
     * @return the handle
     */
    public EngineTarget here() {
        if (initiator == null) {
            initiator = setup.openInitiator(sides);
        }
        return initiator;
    }

    /**
     * The target, known to the initiator.
     *
     * @return the target
     */
    public Target target() {
        Target known = target;
        if (known == null) {
            EngineTarget first = here();
            known = permutation.topology() == Topology.SELF ? first : sides.openThere(setup.spec("target"));
            target = known;
            Sides.introduce(first, known);
        }
        return known;
    }

    /**
     * The target's process.
     *
     * @return the process, of a case with that topology
     */
    public TargetHost process() {
        return sides.processOf(target());
    }

    /**
     * Closes something that works on engines of this case before them.
     *
     * @param layer what to close; the last one named is closed first
     */
    public void closeFirst(AutoCloseable layer) {
        layers.push(layer);
    }

    /**
     * The target's wire key.
     *
     * @return the key
     */
    public String targetKey() {
        return Sides.key(target());
    }

    /**
     * Memory at the initiator with all rights.
     *
     * @param length bytes
     * @return the block
     */
    public Block local(long length) {
        return block(here(), permutation.kinds().local(), length, Access.ALL);
    }

    /**
     * Memory at the target with all rights.
     *
     * @param length bytes
     * @return the block
     */
    public Block remote(long length) {
        return remote(length, Access.ALL);
    }

    /**
     * Memory at the target.
     *
     * @param length bytes
     * @param rights the rights
     * @return the block
     */
    public Block remote(long length, Set<Access> rights) {
        return block(target(), permutation.kinds().remote(), length, rights);
    }

    /**
     * Memory with all rights at one more engine, which this side is told of and which lies where the target does.
     *
     * @param name the engine's name
     * @param length bytes
     * @return the block
     */
    public Block elsewhere(String name, long length) {
        Target other = sides.openThere(setup.spec(name));
        Sides.introduce(here(), other);
        return block(other, permutation.kinds().remote(), length, Access.ALL);
    }

    /**
     * Memory at any side.
     *
     * @param owner the side
     * @param kind memory kind
     * @param length bytes
     * @param rights the rights
     * @return the block
     */
    public Block block(Target owner, MemoryKind kind, long length, Set<Access> rights) {
        String location = kind.isHost() ? "host" : kind + ":0";
        return describe(owner, owner.allocate(location, length, rights), length);
    }

    /**
     * A block of a handle.
     *
     * @param owner the side
     * @param handle its handle
     * @param length bytes
     * @return the block
     */
    public Block describe(Target owner, int handle, long length) {
        return new Block(owner, handle, length, run.subject().codec().unpackMemory(owner.memory(handle)));
    }

    /**
     * Writes one segment with default options.
     *
     * @param from block of the initiator
     * @param fromOffset offset in it
     * @param to block of a peer
     * @param toOffset offset in it
     * @param length bytes
     * @return the transfer
     */
    public Transfer write(Block from, long fromOffset, Block to, long toOffset, long length) {
        return track(
                engine().write(from.region(), fromOffset, to.descriptor(), toOffset, length, TransferOptions.DEFAULT));
    }

    /**
     * Reads one segment with default options.
     *
     * @param into block of the initiator
     * @param intoOffset offset in it
     * @param from block of a peer
     * @param fromOffset offset in it
     * @param length bytes
     * @return the transfer
     */
    public Transfer read(Block into, long intoOffset, Block from, long fromOffset, long length) {
        return track(engine().read(
                        into.region(), intoOffset, from.descriptor(), fromOffset, length, TransferOptions.DEFAULT));
    }

    /**
     * Remembers a transfer, to show it when the case fails.
     *
     * @param transfer the transfer
     * @return the same
     */
    public Transfer track(Transfer transfer) {
        transfers.add(transfer);
        return transfer;
    }

    /**
     * Waits for a transfer's end, in the bound of what must happen.
     *
     * @param transfer the transfer
     * @return its terminal state
     * @throws InterruptedException if interrupted
     */
    public TransferState end(Transfer transfer) throws InterruptedException {
        TransferState state = transfer.await(clocks().mustHappen());
        Expect.that(
                state.isTerminal(),
                "transfer " + transfer.id() + " is " + state + " after " + clocks().mustHappen()
                        + ", must be terminal");
        return state;
    }

    /**
     * Waits for a transfer that must succeed.
     *
     * @param transfer the transfer
     * @return the same
     * @throws InterruptedException if interrupted
     */
    public Transfer succeeds(Transfer transfer) throws InterruptedException {
        TransferState state = end(transfer);
        Expect.that(
                state == TransferState.SUCCEEDED,
                "transfer " + transfer.id() + " is " + state + " with "
                        + transfer.code().map(Enum::name).orElse("no code") + " (" + transfer.text()
                        + "), must be SUCCEEDED");
        return transfer;
    }

    /**
     * Tries until a transfer succeeds, in the bound of what must happen: the first ones after a fence or a lost link may meet
     * what is left of it.
     *
     * @param next makes a transfer
     * @return the one that succeeded
     * @throws InterruptedException if interrupted
     */
    public Transfer eventuallySucceeds(Supplier<Transfer> next) throws InterruptedException {
        long until = System.nanoTime() + clocks().mustHappen().toNanos();
        Transfer transfer = next.get();
        while (end(transfer) != TransferState.SUCCEEDED && System.nanoTime() - until < 0) {
            LockSupport.parkNanos(2_000_000); // the peer may be in another process
            transfer = next.get();
        }
        return succeeds(transfer);
    }

    /**
     * Waits for a transfer that must fail.
     *
     * @param what what was tried
     * @param transfer the transfer
     * @param codes the codes that are right
     * @return the same
     * @throws InterruptedException if interrupted
     */
    public Transfer fails(String what, Transfer transfer, ErrorCode... codes) throws InterruptedException {
        TransferState state = end(transfer);
        String seen = state + transfer.code().map(code -> " with " + code).orElse("");
        Expect.that(
                state == TransferState.FAILED
                        && Set.of(codes).contains(transfer.code().orElseThrow()),
                what + " is " + seen + " (" + transfer.text() + "), must be FAILED with "
                        + (codes.length == 1 ? codes[0] : "one of " + Set.of(codes)));
        return transfer;
    }

    /**
     * What a report shows of both sides.
     *
     * @return lines
     */
    String state() {
        StringBuilder text = new StringBuilder();
        sides.describe(initiator, text);
        List<Transfer> known = List.copyOf(transfers);
        for (Transfer transfer : known.subList(Math.max(0, known.size() - 5), known.size())) {
            text.append("transfer ")
                    .append(transfer.id())
                    .append(' ')
                    .append(transfer.state())
                    .append(' ')
                    .append(transfer.text())
                    .append(' ')
                    .append(transfer.receipt().map(Object::toString).orElse("without receipt"))
                    .append('\n');
        }
        sides.describeLogs(text);
        return text.toString();
    }

    /** Closes every engine and gives processes back. */
    @Override
    public void close() {
        List<RuntimeException> failed = new ArrayList<>();
        for (AutoCloseable layer : layers) {
            try {
                layer.close();
            } catch (Exception e) { // what AutoCloseable declares
                failed.add(new IllegalStateException("closing " + layer + " failed", e));
            }
        }
        sides.close(failed);
        if (!failed.isEmpty()) {
            RuntimeException first = failed.removeFirst();
            failed.forEach(first::addSuppressed);
            throw first;
        }
    }
}
