package io.weft.kv;

/**
 * Status of a room. Numbers and order are the original's: ranks are combined by the smallest, so that one failed rank
 * fails all.
 *
 * @since 0.1
 */
public enum KvPoll {
    /** Ended without success. */
    FAILED("Failed"),
    /** Prefill waits for metadata, decode for the prefill ranks' addresses. */
    BOOTSTRAPPING("Bootstrapping"),
    /** Both sides know each other; prefill waits for pages, decode for bytes. */
    WAITING_FOR_INPUT("WaitingForInput"),
    /** Pages are moving. */
    TRANSFERRING("Transferring"),
    /** Ended; every byte is in place. */
    SUCCESS("Success");

    private final String wireName;

    KvPoll(String wireName) {
        this.wireName = wireName;
    }

    /**
     * The original's number.
     *
     * @return 0 to 4
     */
    public int number() {
        return ordinal();
    }

    /**
     * The original's name.
     *
     * @return the name
     */
    public String wireName() {
        return wireName;
    }

    /**
     * Whether it never changes again.
     *
     * @return true for failure and success
     */
    public boolean isTerminal() {
        return this == FAILED || this == SUCCESS;
    }
}
