package io.weft.cli.rank;

/** Commands about rooms, different for the two roles. Called by one thread. */
interface RoomOps extends AutoCloseable {
    /**
     * Carries out one command.
     *
     * @throws io.weft.api.WeftException INVALID_ARGUMENT for a command that the role does not know
     */
    void carryOut(Line line);

    @Override
    void close();
}
