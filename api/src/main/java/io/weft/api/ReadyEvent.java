package io.weft.api;

/**
 * Gates the first read of a transfer's source, so that a layer can be sent while the next one is computed.
 *
 * <p>Implemented by applications and device memory providers. Threading: called by one engine thread at a time, must not
 * block and must not throw (a Throwable fails the transfer with {@link ErrorCode#DEVICE}). Once true it stays true. The
 * write of the source's bytes happens-before {@code isReady} returning true.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface ReadyEvent {
    /**
     * Whether the source may be read.
     *
     * @return true when it may
     */
    boolean isReady();
}
