package io.weft.engine.internal.submit;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryDescriptor;
import io.weft.api.Region;
import io.weft.engine.internal.memory.LocalRegion;
import io.weft.engine.internal.memory.RegionTable;
import io.weft.engine.internal.peer.EnginePeer;
import io.weft.engine.internal.peer.PeerTable;
import io.weft.engine.internal.peer.RemoteRegion;
import io.weft.spi.OperationKind;

/** Finds and checks the two regions of a transfer. Safe from any thread. */
final class Pairs {
    private final RegionTable regions;
    private final PeerTable peers;

    Pairs(RegionTable regions, PeerTable peers) {
        this.regions = regions;
        this.peers = peers;
    }

    LocalRegion local(Region region, OperationKind kind) {
        LocalRegion local = localOfAnyRight(region);
        if (!RegionTable.allowsLocally(local, kind == OperationKind.WRITE)) {
            throw new Refused(
                    ErrorCode.PERMISSION,
                    "the local " + local + " has the rights " + local.access() + ", a "
                            + (kind == OperationKind.WRITE ? "write needs LOCAL_READ" : "read needs LOCAL_WRITE"));
        }
        return local;
    }

    LocalRegion localOfAnyRight(Region region) {
        if (!(region instanceof LocalRegion local) || !local.isOf(regions)) {
            throw new Refused(
                    ErrorCode.NOT_REGISTERED,
                    "the local region " + region.descriptor() + " belongs to another engine; register the memory here");
        }
        if (!local.isRegistered()) {
            throw new Refused(ErrorCode.CLOSED, "the local " + local + " is deregistered; register the memory anew");
        }
        return local;
    }

    EnginePeer peer(MemoryDescriptor remote) {
        EnginePeer peer = peers.find(remote.engineKey());
        if (peer != null) {
            return peer;
        }
        String other = peers.otherIncarnation(remote.engineKey());
        throw other.isEmpty()
                ? new Refused(
                        ErrorCode.NOT_REGISTERED,
                        "engine " + remote.engineKey() + " is not known here; add it with addPeer first")
                : new Refused(
                        ErrorCode.STALE_DESCRIPTOR,
                        "the descriptor is of engine " + remote.engineKey() + ", which is known here as " + other
                                + " now: it restarted; fetch its present descriptors");
    }

    RemoteRegion remote(EnginePeer peer, MemoryDescriptor remote) {
        long length = remote.length();
        // The address after the last one must exist, or arithmetic on it would wrap.
        if (length <= 0 || Long.compareUnsigned(remote.address() + length, remote.address()) <= 0) {
            throw new Refused(
                    ErrorCode.INVALID_ARGUMENT,
                    "the remote descriptor has length " + Long.toUnsignedString(length) + " at address 0x"
                            + Long.toHexString(remote.address()) + ", which is empty or overflows");
        }
        RemoteRegion region = peer.remoteRegion(remote, RemoteRegion.kindOf(remote));
        if (region.isRevoked()) {
            throw new Refused(
                    ErrorCode.REMOTE_ACCESS,
                    remote + " was deregistered by its owner; fetch the owner's present descriptors");
        }
        return region;
    }
}
