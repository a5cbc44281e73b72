package io.weft.engine.internal;

import io.weft.api.EngineDescriptor;
import io.weft.engine.internal.backend.Counters;
import io.weft.engine.internal.concurrent.EngineThreads;
import io.weft.engine.internal.device.DeviceMemories;
import io.weft.engine.internal.inbound.InboundEnds;
import io.weft.engine.internal.inbound.NotificationQueue;
import io.weft.engine.internal.peer.PeerServices;
import io.weft.engine.internal.peer.PeerTable;
import io.weft.engine.internal.route.Router;
import io.weft.engine.internal.submit.Submitter;

/**
 * What an engine is made of.
 *
 * @param descriptor how peers reach it
 * @param services what peers share
 * @param peers the peers
 * @param submitter makes transfers
 * @param notifications unread notifications
 * @param ends unread ends of inbound transfers
 * @param devices device memory
 * @param threads the engine's threads
 * @param life whether it is open
 * @param counters what the control plane counts
 */
record EngineParts(
        EngineDescriptor descriptor,
        PeerServices services,
        PeerTable peers,
        Submitter submitter,
        NotificationQueue notifications,
        InboundEnds ends,
        DeviceMemories devices,
        EngineThreads threads,
        EngineLife life,
        Counters counters) {
    Router router() {
        return services.router();
    }
}
