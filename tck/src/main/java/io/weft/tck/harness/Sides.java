package io.weft.tck.harness;

import io.weft.spi.BackendProvider;
import io.weft.spi.EngineClock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The engines of a case, in this process and in others. Confined to the test's thread. */
public final class Sides {
    private static final long CLOSE_MILLIS = 2000;

    private final Run run;
    private final Topology topology;
    private final List<Target> opened = new ArrayList<>();
    private final Deque<TargetHost> hosts = new ArrayDeque<>();
    private final Map<Target, TargetHost> hostOf = new IdentityHashMap<>();

    Sides(Run run, Topology topology) {
        this.run = run;
        this.topology = topology;
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
     * A side's wire key.
     *
     * @param side either side
     * @return the key
     */
    public static String key(Target side) {
        return Codec.CORE.unpackEngine(side.descriptor()).key();
    }

    /**
     * Opens one more engine where the case has its target, closed at the end.
     *
     * @param spec what to open
     * @return the engine's handle
     */
    public Target openThere(EngineSpec spec) {
        return topology == Topology.PROCESS ? openProcess(spec) : openHere(spec);
    }

    /**
     * Opens one more engine in this process, closed at the end.
     *
     * @param spec what to open
     * @return the engine
     */
    public EngineTarget openHere(EngineSpec spec) {
        return openHere(spec, Optional.empty(), EngineClock.SYSTEM);
    }

    /**
     * Opens one more engine in this process with something around its backend, closed at the end.
     *
     * @param spec what to open
     * @param around makes the backend that the engine gets from the one under test
     * @return the engine
     */
    public EngineTarget openHere(EngineSpec spec, UnaryOperator<BackendProvider> around) {
        return openHere(spec, Optional.of(around), EngineClock.SYSTEM);
    }

    EngineTarget openHere(EngineSpec spec, Optional<UnaryOperator<BackendProvider>> around, EngineClock clock) {
        EngineTarget engine = new EngineTarget(run.subject().open(spec, around, clock));
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
        return open(host, spec);
    }

    /**
     * Opens one more engine in the process of another, closed at the end.
     *
     * @param side what {@link #openProcess} gave
     * @param spec what to open
     * @return the engine's handle
     */
    public Target openBeside(Target side, EngineSpec spec) {
        return open(processOf(side), spec);
    }

    private Target open(TargetHost host, EngineSpec spec) {
        Target there = host.open(spec);
        hostOf.put(there, host);
        opened.add(there);
        return there;
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

    void describe(@Nullable Target initiator, StringBuilder text) {
        for (Target side : opened) {
            text.append(side == initiator ? "initiator: " : "other side: ");
            try {
                text.append(side.state());
            } catch (RuntimeException gone) {
                text.append(gone.getMessage());
            }
            text.append('\n');
        }
    }

    void describeLogs(StringBuilder text) {
        for (TargetHost host : hosts) {
            text.append("log of the target process: ").append(host.logTail()).append('\n');
        }
    }

    /** Closes every engine, the last one opened first, and gives processes back. */
    void close(List<RuntimeException> failed) {
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
    }
}
