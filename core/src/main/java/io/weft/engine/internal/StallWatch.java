package io.weft.engine.internal;

import io.weft.engine.internal.peer.EnginePeer;
import io.weft.engine.internal.peer.PeerServices;
import io.weft.engine.internal.time.Timer;
import io.weft.telemetry.PeerView;
import io.weft.telemetry.StallText;
import io.weft.telemetry.TransferView;
import io.weft.telemetry.jfr.StallEvent;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.RejectedExecutionException;

/**
 * Looks, a few times in the patience that was set, for transfers that make no progress, and tells of each once: one warning for
 * a peer, with the picture of that peer. Its timer is the only state; nothing is written where bytes move.
 */
final class StallWatch extends Timer {
    private static final Logger LOG = System.getLogger(StallWatch.class.getName());
    private static final int LOOKS = 4;
    private static final int SHOWN = 5;

    private final EngineParts parts;
    private final PeerServices services;
    private final long patienceNanos;

    StallWatch(EngineParts parts) {
        this.parts = parts;
        this.services = parts.services();
        this.patienceNanos = services.settings().stallNanos();
    }

    void start() {
        services.timers().schedule(this, services.clock().nanos() + patienceNanos / LOOKS);
    }

    @Override
    protected void fire() {
        try {
            services.control().execute(this::look);
        } catch (RejectedExecutionException closing) {
            return; // the last look
        }
        start();
    }

    private void look() {
        for (EnginePeer peer : parts.peers().all()) {
            if (peer.watch().findStalls(patienceNanos, SHOWN, this::found)) {
                LOG.log(
                        Level.WARNING,
                        StallText.stuck(
                                services.engineKey(),
                                patienceNanos,
                                peer.watch().glance()));
            }
        }
    }

    private void found(EnginePeer peer, int transfers, TransferView worst, PeerView picture) {
        services.tally().stall(transfers);
        StallEvent.found(services.engineKey(), peer.key(), transfers, worst.idleNanos(), worst.waitsFor());
        try {
            services.control()
                    .execute(() -> LOG.log(
                            Level.WARNING,
                            StallText.of(services.engineKey(), transfers, patienceNanos, worst, picture)));
        } catch (RejectedExecutionException closing) {
            LOG.log(Level.DEBUG, "a stall was found while the engine closed");
        }
    }
}
