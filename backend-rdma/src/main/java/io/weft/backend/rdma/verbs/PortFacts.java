package io.weft.backend.rdma.verbs;

import java.lang.foreign.MemorySegment;

/**
 * The state of a port at one moment.
 *
 * @param number from 1
 * @param state an {@code IBV_PORT_*} value
 * @param activeMtu an {@code IBV_MTU_*} value: 1 is 256 bytes, 5 is 4 096
 * @param gids length of the GID table
 * @param maxMessageBytes largest message
 * @param lid local id, 0 on Ethernet
 * @param ethernet whether the link layer is Ethernet (RoCE)
 */
public record PortFacts(
        int number, int state, int activeMtu, int gids, long maxMessageBytes, int lid, boolean ethernet) {
    static PortFacts of(int number, MemorySegment attr) {
        return new PortFacts(
                number,
                IbvPortAttr.state(attr),
                IbvPortAttr.activeMtu(attr),
                IbvPortAttr.gidTableLength(attr),
                Integer.toUnsignedLong(IbvPortAttr.maxMessageBytes(attr)),
                IbvPortAttr.lid(attr),
                IbvPortAttr.linkLayer(attr) == IbvPortAttr.LINK_ETHERNET);
    }

    /**
     * Whether data can pass.
     *
     * @return true for {@code IBV_PORT_ACTIVE}
     */
    public boolean isActive() {
        return state == IbvPortAttr.STATE_ACTIVE;
    }

    /**
     * The state in words.
     *
     * @return such as {@code ACTIVE}
     */
    public String stateName() {
        return switch (state) {
            case 1 -> "DOWN";
            case 2 -> "INIT";
            case 3 -> "ARMED";
            case 4 -> "ACTIVE";
            case 5 -> "ACTIVE_DEFER";
            default -> "state " + state;
        };
    }

    /**
     * The MTU in bytes.
     *
     * @return 256 to 4 096
     */
    public int mtuBytes() {
        return 128 << activeMtu;
    }
}
