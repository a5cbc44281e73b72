package io.weft.engine.internal.peer;

import io.weft.engine.internal.memory.LocalRegion;
import io.weft.engine.internal.segment.SegmentPlan;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A plan with the regions of each run. Pooled. */
public final class TransferPlan extends SegmentPlan {
    private @Nullable LocalRegion[] locals = new LocalRegion[2];
    private @Nullable RemoteRegion[] remotes = new RemoteRegion[2];

    /**
     * Makes a plan.
     *
     * @param sizeClass binary logarithm of the segments it has room for
     */
    public TransferPlan(int sizeClass) {
        super(sizeClass);
    }

    /**
     * Adds a run over segments that are in the plan.
     *
     * @param from first segment
     * @param to segment after the last
     * @param local local region
     * @param remote remote region
     * @param toRemote which of them is the destination
     */
    public void addRun(int from, int to, LocalRegion local, RemoteRegion remote, boolean toRemote) {
        int run = toRemote
                ? addRun(from, to, remote.descriptor().address(), remote.space())
                : addRun(from, to, local.address(), local.location().hashCode());
        if (run >= locals.length) {
            locals = Arrays.copyOf(locals, runFrom.length);
            remotes = Arrays.copyOf(remotes, runFrom.length);
        }
        locals[run] = local;
        remotes[run] = remote;
    }

    /**
     * Whether a pair has the memory kinds of the first run, which decide the route.
     *
     * @param local local region
     * @param remote remote region
     * @return true if so
     */
    public boolean sameKinds(LocalRegion local, RemoteRegion remote) {
        return local(0).location().kind().equals(local.location().kind())
                && remote(0).kind().equals(remote.kind());
    }

    LocalRegion local(int run) {
        LocalRegion region = locals[run];
        assert region != null;
        return region;
    }

    RemoteRegion remote(int run) {
        RemoteRegion region = remotes[run];
        assert region != null;
        return region;
    }

    boolean uses(LocalRegion region) {
        for (int r = 0; r < runs; r++) {
            if (locals[r] == region) {
                return true;
            }
        }
        return false;
    }

    boolean uses(int remoteRegionId) {
        for (int r = 0; r < runs; r++) {
            if (remote(r).descriptor().id() == remoteRegionId) {
                return true;
            }
        }
        return false;
    }

    @Override
    protected void clear() {
        Arrays.fill(locals, 0, runs, null);
        Arrays.fill(remotes, 0, runs, null);
        super.clear();
    }
}
