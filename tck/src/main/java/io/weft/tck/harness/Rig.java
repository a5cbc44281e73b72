package io.weft.tck.harness;

import io.weft.api.Access;
import io.weft.api.ErrorCode;
import io.weft.api.MemoryKind;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import io.weft.spi.BackendProvider;
import io.weft.spi.EngineClock;
import io.weft.testkit.faults.FaultPlan;
import io.weft.testkit.faults.FaultyProvider;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What one case of a rule works with: an initiator in this process, a target wherever the case wants it, memory on both sides.
 * Engines are opened when first asked for and closed at the end. Confined to the test's thread.
 */
public final class Rig implements AutoCloseable {
    private static final long CLOSE_MILLIS = 2000;

    private final Run run;
    private final Case permutation;
    private final SplittableRandom random;
    private final Map<String, String> options = new LinkedHashMap<>();
    private final List<Target> opened = new ArrayList<>();
    private final Deque<TargetHost> hosts = new ArrayDeque<>();
    private final List<Transfer> transfers = new ArrayList<>();
    private final Deque<AutoCloseable> layers = new ArrayDeque<>();
    private boolean checked = true;
    private final Map<Target, TargetHost> hostOf = new IdentityHashMap<>();
    private EngineClock clock = EngineClock.SYSTEM;
    private @Nullable UnaryOperator<BackendProvider> decorator;
    private @Nullable EngineTarget initiator;
    private @Nullable Target target;
    private @Nullable TargetHost targetHost;

    /**
     * Prepares a case.
     *
     * @param run the run
     * @param permutation the case
     */
    public Rig(Run run, Case permutation) {
        this.run = run;
        this.permutation = permutation;
        this.random = new SplittableRandom(permutation.seed());
    }

    /**
     * Sets an option of both engines, before they are opened.
     *
     * @param key a whole key
     * @param value its value
     * @return this
     */
    public Rig with(String key, String value) {
        options.put(key, value);
        return this;
    }

    /**
     * Sets a duration of both engines, before they are opened; scaled like all waiting times.
     *
     * @param key a whole key
     * @param time for a quick machine
     * @return this
     */
    public Rig with(String key, Duration time) {
        return with(key, clocks().scaled(time).toMillis() + "ms");
    }

    /**
     * Makes peers notice soon when another is gone, before engines are opened.
     *
     * @return this
     */
    public Rig withQuickLiveness() {
        return with("weft.heartbeat.interval", Duration.ofMillis(100))
                .with("weft.heartbeat.suspect", Duration.ofMillis(400))
                .with("weft.heartbeat.lost", Duration.ofMillis(1200));
    }

    /**
     * Leaves the backend without the wrapper that checks it, for rules about allocation and leaks.
     *
     * @return this
     */
    public Rig unchecked() {
        checked = false;
        return this;
    }

    /**
     * Puts something around the initiator's backend, before it is opened.
     *
     * @param around makes the backend that the engine gets from the one under test
     * @return this
     */
    public Rig decorate(UnaryOperator<BackendProvider> around) {
        decorator = around;
        return this;
    }

    /**
     * Gives the initiator another clock, before it is opened.
     *
     * @param other a monotonic clock
     * @return this
     */
    public Rig clock(EngineClock other) {
        clock = other;
        return this;
    }

    /**
     * Puts the fault decorator around the initiator's backend, before it is opened.
     *
     * @param plan what to inject at first
     * @return the decorator
     */
    public FaultyProvider faults(FaultPlan plan) {
        FaultyProvider faults = new FaultyProvider(run.subject().provider(), random.nextLong(), plan);
        decorate(sound -> faults);
        return faults;
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
     * Where random values come from.
     *
     * @return seeded by the case
     */
    public SplittableRandom random() {
        return random;
    }

    /**
     * An engine's spec with the options of this rig.
     *
     * @param name engine name
     * @return the spec
     */
    public EngineSpec spec(String name) {
        EngineSpec spec = EngineSpec.named(name).with(options);
        return checked ? spec : spec.unchecked();
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
            initiator = new EngineTarget(run.subject().open(spec("initiator"), Optional.ofNullable(decorator), clock));
            opened.add(initiator);
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
            known = switch (permutation.topology()) {
                case SELF -> first;
                case PAIR -> openHere(spec("target"));
                case PROCESS -> {
                    targetHost = run.borrow();
                    hosts.add(targetHost);
                    Target other = targetHost.open(spec("target"));
                    hostOf.put(other, targetHost);
                    opened.add(other);
                    yield other;
                }
            };
            target = known;
            introduce(first, known);
        }
        return known;
    }

    /**
     * The target's process.
     *
     * @return the process, of a case with that topology
     */
    public TargetHost process() {
        target();
        if (targetHost == null) {
            throw new HarnessBroken("the case " + permutation + " has no process");
        }
        return targetHost;
    }

    /**
     * The process of a side.
     *
     * @param side what {@link #openProcess} gave
     * @return its process
     */
    public TargetHost processOf(Target side) {
        TargetHost host = hostOf.get(side);
        if (host == null) {
            throw new HarnessBroken("the engine is in this process");
        }
        return host;
    }

    /**
     * Opens one more engine where this case has its target, closed at the end.
     *
     * @param spec what to open
     * @return the engine's handle
     */
    public Target openThere(EngineSpec spec) {
        return permutation.topology() == Topology.PROCESS ? openProcess(spec) : openHere(spec);
    }

    /**
     * Ends a side without any chance to say goodbye: kills its process, or closes an engine of this process at once.
     *
     * @param side the side
     */
    public void crash(Target side) {
        TargetHost host = hostOf.get(side);
        if (host == null) {
            side.close(0);
        } else {
            host.kill();
        }
    }

    /**
     * Opens one more engine in this process, closed at the end.
     *
     * @param spec what to open
     * @return the engine
     */
    public EngineTarget openHere(EngineSpec spec) {
        return keep(new EngineTarget(run.subject().open(spec)));
    }

    /**
     * Opens one more engine in this process with something around its backend, closed at the end.
     *
     * @param spec what to open
     * @param around makes the backend that the engine gets from the one under test
     * @return the engine
     */
    public EngineTarget openHere(EngineSpec spec, UnaryOperator<BackendProvider> around) {
        return keep(new EngineTarget(run.subject().open(spec, Optional.of(around), EngineClock.SYSTEM)));
    }

    private EngineTarget keep(EngineTarget engine) {
        opened.add(engine);
        return engine;
    }

    /**
     * Opens one more process with one engine, both closed at the end.
     *
     * @param spec what to open
     * @return the engine's handle
     */
    public Target openProcess(EngineSpec spec) {
        TargetHost host = run.borrow();
        hosts.add(host);
        Target there = host.open(spec);
        hostOf.put(there, host);
        opened.add(there);
        return there;
    }

    /**
     * Opens one more engine in the process of another, closed at the end.
     *
     * @param side what {@link #openProcess} gave
     * @param spec what to open
     * @return the engine's handle
     */
    public Target openBeside(Target side, EngineSpec spec) {
        TargetHost host = processOf(side);
        Target there = host.open(spec);
        hostOf.put(there, host);
        opened.add(there);
        return there;
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
     * Makes one side known to the other.
     *
     * @param who gets to know
     * @param whom the peer
     */
    public static void introduce(Target who, Target whom) {
        if (who != whom) {
            who.addPeer(whom.descriptor());
        }
    }

    /**
     * The target's wire key.
     *
     * @return the key
     */
    public String targetKey() {
        return key(target());
    }

    /**
     * A side's wire key.
     *
     * @param side either side
     * @return the key
     */
    public static String key(Target side) {
        return Codec.CORE.unpackEngine(side.descriptor()).key();
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
        Target other = openThere(spec(name));
        introduce(here(), other);
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
     * Waits until something holds, in the bound of what must happen.
     *
     * @param what what must come to hold
     * @param holds whether it does
     */
    public void eventually(String what, BooleanSupplier holds) {
        eventually(() -> what, holds);
    }

    /**
     * Waits until something holds, in the bound of what must happen.
     *
     * @param what what must come to hold, and what was seen, asked when it does not
     * @param holds whether it does
     */
    public void eventually(Supplier<String> what, BooleanSupplier holds) {
        long end = System.nanoTime() + clocks().mustHappen().toNanos();
        while (!holds.getAsBoolean()) {
            Expect.that(
                    System.nanoTime() - end < 0,
                    "after " + clocks().mustHappen() + " it still does not hold that " + what.get());
            LockSupport.parkNanos(2_000_000); // what is waited for may be in another process
        }
    }

    /**
     * Checks again and again, at least once, for as long as one watches that something does not happen.
     *
     * @param check throws when it has happened
     */
    public void throughout(Runnable check) {
        long end = System.nanoTime() + clocks().mustNotHappen().toNanos();
        do {
            check.run();
            LockSupport.parkNanos(1_000_000);
        } while (System.nanoTime() - end < 0);
    }

    /**
     * What a report shows of both sides.
     *
     * @return lines
     */
    String state() {
        StringBuilder text = new StringBuilder();
        for (Target side : opened) {
            text.append(side == initiator ? "initiator: " : "other side: ");
            try {
                text.append(side.state());
            } catch (RuntimeException gone) {
                text.append(gone.getMessage());
            }
            text.append('\n');
        }
        for (Transfer transfer : transfers.subList(Math.max(0, transfers.size() - 5), transfers.size())) {
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
        for (TargetHost host : hosts) {
            text.append("log of the target process: ").append(host.logTail()).append('\n');
        }
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
        for (Target side : opened.reversed()) {
            try {
                side.close(CLOSE_MILLIS);
            } catch (HarnessBroken itsProcessIsGone) {
                // the case killed it
            } catch (RuntimeException e) {
                failed.add(e);
            }
        }
        hosts.forEach(run::giveBack);
        if (!failed.isEmpty()) {
            RuntimeException first = failed.removeFirst();
            failed.forEach(first::addSuppressed);
            throw first;
        }
    }
}
