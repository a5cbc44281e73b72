package io.weft.cli.memory;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.spi.DeviceStream;
import java.time.Duration;

/** Waits for a device's copies, for those who have nothing else to do meanwhile. */
public final class StreamEnd {
    private StreamEnd() {}

    /**
     * Blocks until all that is queued on a stream is done.
     *
     * @param stream the caller's stream
     * @param what what is copied, for the error
     * @param patience how long at most
     * @throws WeftException DEVICE if a copy failed or did not end in time
     */
    public static void await(DeviceStream stream, String what, Duration patience) {
        long ticket = stream.mark();
        long end = System.nanoTime() + patience.toNanos();
        while (!stream.isDone(ticket)) {
            if (System.nanoTime() - end > 0) {
                throw new WeftException(
                        ErrorCode.DEVICE, what + ": the driver did not end it in " + patience.toSeconds() + " s");
            }
            Thread.yield();
        }
    }
}
