package io.weft.bootstrap;

import io.weft.telemetry.Check;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Whether a registry's own threads still do something. */
final class RegistryAlive {
    private static final int LOOK_MILLIS = 2_000;

    private RegistryAlive() {}

    static List<Check> look(InetSocketAddress bound, @Nullable Future<?> timer) {
        return List.of(answers(bound), runs(timer));
    }

    /** Asks as anybody would: a thread that accepts nothing more shows nowhere else. */
    private static Check answers(InetSocketAddress bound) {
        InetAddress address =
                bound.getAddress().isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : bound.getAddress();
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(LOOK_MILLIS);
            socket.connect(new InetSocketAddress(address, bound.getPort()), LOOK_MILLIS);
            socket.getOutputStream().write(BootstrapClient.utf8("GET /health HTTP/1.0\r\n\r\n"));
            return socket.getInputStream().read() >= 0
                    ? new Check("registry", true, "answers")
                    : dead(bound, "it closes connections without an answer");
        } catch (IOException silent) {
            return dead(bound, String.valueOf(silent.getMessage()));
        }
    }

    private static Check dead(InetSocketAddress bound, String found) {
        return new Check(
                "registry",
                false,
                "does not answer at its own port " + bound.getPort() + ": " + found + "; restart this process");
    }

    private static Check runs(@Nullable Future<?> timer) {
        return timer != null && !timer.isDone()
                ? new Check("timer thread", true, "runs")
                : new Check("timer thread", false, "ended, so that silent ranks stay registered; restart this process");
    }
}
