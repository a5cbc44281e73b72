package io.weft.telemetry;

/**
 * A room that is not cleared, at the moment somebody looked. Immutable.
 *
 * @param role prefill or decode
 * @param room its id, unsigned
 * @param state as polled: Bootstrapping, WaitingForInput, Transferring, Success or Failed
 * @param waitsFor what it waits for, in words; empty when it has ended
 * @param ageNanos time since it was opened
 * @param transfers transfers under way
 * @param lease state of its pages' lease
 * @param failure why it failed, empty if it did not
 * @since 0.1
 */
public record RoomView(
        String role,
        String room,
        String state,
        String waitsFor,
        long ageNanos,
        int transfers,
        String lease,
        String failure) {}
