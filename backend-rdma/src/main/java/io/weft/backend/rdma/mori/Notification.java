package io.weft.backend.rdma.mori;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The 16 bytes that MORI sends on every queue pair of a session after a transfer. They are in the host's order, which is little-endian
 * wherever MORI runs.
 *
 * @param transfer the initiator's transfer id
 * @param index which of the queue pairs this one came on
 * @param total on how many of them it is sent
 */
public record Notification(long transfer, int index, int total) {
    /** Length of the message. */
    public static final int BYTES = 16;

    private static final int MOST_QUEUE_PAIRS = 4_096;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /**
     * Writes one.
     *
     * @param out at least 16 bytes
     * @param transfer the transfer id
     * @param index which queue pair
     * @param total of how many
     */
    public static void write(MemorySegment out, long transfer, int index, int total) {
        out.set(LONG, 0, transfer);
        out.set(INT, 8, index);
        out.set(INT, 12, total);
    }

    /**
     * Reads one.
     *
     * @param in what was received
     * @return the notification
     * @throws WeftException PROTOCOL if it cannot be one
     */
    public static Notification read(MemorySegment in) {
        if (in.byteSize() == BYTES) {
            Notification one = new Notification(in.get(LONG, 0), in.get(INT, 8), in.get(INT, 12));
            if (one.total > 0 && one.total <= MOST_QUEUE_PAIRS && one.index >= 0 && one.index < one.total) {
                return one;
            }
        }
        throw new WeftException(
                ErrorCode.PROTOCOL,
                "rdma: a notification of " + in.byteSize() + " bytes is not one of MORI-IO's: 16 bytes with index and"
                        + " count of a session's queue pairs");
    }
}
