package io.weft.cli.rank;

import io.weft.api.TransferEngine;
import io.weft.config.Configuration;
import io.weft.config.EngineOptions;
import io.weft.engine.EngineTelemetry;
import io.weft.kv.wire.NetworkAddress;
import io.weft.ops.OpsOptions;
import io.weft.ops.OpsServer;
import io.weft.ops.OpsSources;
import io.weft.spi.OptionValues;
import io.weft.telemetry.Check;
import io.weft.telemetry.MetricSource;
import io.weft.telemetry.RoomView;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The operations endpoint of a rank, if it was asked for. */
public final class Operations implements AutoCloseable {
    private static final int DIAL_MILLIS = 1_000;

    private final @Nullable OpsServer server;

    private Operations(@Nullable OpsServer server) {
        this.server = server;
    }

    static Operations ofRank(
            Configuration configuration,
            TransferEngine engine,
            String registry,
            MetricSource metrics,
            IntFunction<List<RoomView>> rooms) {
        OpsSources sources = new OpsSources()
                .engine(EngineTelemetry.of(engine).orElseThrow())
                .metrics(metrics)
                .rooms(rooms)
                .readyWhen(() -> reaches(registry));
        return of(configuration, sources);
    }

    /**
     * Serves if {@code weft.ops.port} says so.
     *
     * @param configuration values of options
     * @param sources what to show
     * @return the endpoint, maybe of nothing
     * @throws io.weft.api.WeftException if it cannot listen
     */
    public static Operations of(Configuration configuration, OpsSources sources) {
        OptionValues ops = configuration.values(OpsOptions.GROUP);
        int port = (int) ops.integer(OpsOptions.PORT);
        return new Operations(
                port == OpsOptions.OFF
                        ? null
                        : OpsServer.start(
                                ops.string(OpsOptions.HOST),
                                port,
                                configuration.values(EngineOptions.GROUP).string(EngineOptions.SECRET),
                                sources));
    }

    /**
     * Where it listens, for others of the same host or, if it listens elsewhere, of the network.
     *
     * @param host this process's own address, for an endpoint that listens everywhere
     * @return {@code host:port}, empty if nothing is served
     */
    String address(String host) {
        return server == null ? "" : server.address(host);
    }

    /**
     * Where it listens.
     *
     * @return the TCP port, -1 if nothing is served
     */
    public int port() {
        return server == null ? OpsOptions.OFF : server.port();
    }

    private static Check reaches(String registry) {
        try (Socket socket = new Socket()) {
            NetworkAddress address = NetworkAddress.parse(registry);
            socket.connect(new InetSocketAddress(address.host(), address.port()), DIAL_MILLIS);
            return new Check("registry", true, registry + " accepts connections");
        } catch (IOException | IllegalArgumentException refused) {
            return new Check(
                    "registry",
                    false,
                    "registry " + registry + " does not accept a connection: " + refused.getMessage()
                            + "; start it again (weft bootstrap) at the same address, ranks then register by themselves");
        }
    }

    @Override
    public void close() {
        if (server != null) {
            server.close();
        }
    }
}
