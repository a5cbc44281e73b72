package io.weft.engine.internal.peer;

import io.weft.engine.internal.backend.OpenBackend;
import io.weft.engine.internal.concurrent.ControlThreads;
import io.weft.engine.internal.control.ControlPlane;
import io.weft.engine.internal.device.Copies;
import io.weft.engine.internal.memory.RegionTable;
import io.weft.engine.internal.route.Router;
import io.weft.engine.internal.segment.PlanPool;
import io.weft.engine.internal.settings.EngineSettings;
import io.weft.engine.internal.time.TimerWheel;
import io.weft.engine.internal.transfer.Callbacks;
import io.weft.spi.EngineClock;
import java.util.List;

/**
 * What all peers of one engine share.
 *
 * @param engineKey this engine's wire key, for texts
 * @param settings the engine's options
 * @param clock clock of deadlines
 * @param timers wakes peers
 * @param control threads for what may block
 * @param gates watches sources that are not ready
 * @param plane connects sessions
 * @param backends open backends by index
 * @param router chooses among them
 * @param regions this engine's regions
 * @param copies copies to and from device memory
 * @param staging bounds staging memory
 * @param plans pool of plans
 * @param callbacks runs users' code
 * @param tally counts transfers
 */
public record PeerServices(
        String engineKey,
        EngineSettings settings,
        EngineClock clock,
        TimerWheel timers,
        ControlThreads control,
        GateWatch gates,
        ControlPlane plane,
        List<OpenBackend> backends,
        Router router,
        RegionTable regions,
        Copies copies,
        StagingBound staging,
        PlanPool<TransferPlan> plans,
        Callbacks callbacks,
        Tally tally) {}
