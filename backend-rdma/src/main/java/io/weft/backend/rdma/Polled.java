package io.weft.backend.rdma;

/** A completion queue in the turn of the progress thread. */
interface Polled {
    /** Takes completions; how many there were. */
    int poll();

    /** Asks for an event at the next completion. */
    void arm();
}
