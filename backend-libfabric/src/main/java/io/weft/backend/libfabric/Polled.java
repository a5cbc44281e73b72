package io.weft.backend.libfabric;

/** What the progress thread drives: a link or a target endpoint. */
interface Polled {
    /**
     * Takes completions and makes progress; never blocks.
     *
     * @param budget most completions to take
     * @return events handled
     */
    int poll(int budget);

    /** The endpoint to wait on. */
    RmaEndpoint endpoint();
}
