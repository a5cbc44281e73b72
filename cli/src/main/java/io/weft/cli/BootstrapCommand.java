package io.weft.cli;

import io.weft.bootstrap.BootstrapServer;
import io.weft.bootstrap.BootstrapSettings;
import io.weft.config.EngineOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/** The registry of prefill ranks as a process. */
@Command(
        name = "bootstrap",
        description =
                "Run the registry that ranks meet at: prints a JSON line when it is ready, ends on {\"op\":\"quit\"} or"
                        + " end of input.")
final class BootstrapCommand extends WeftCommand {
    @Option(
            names = "--host",
            defaultValue = "127.0.0.1",
            description = "Address to listen on. Default: ${DEFAULT-VALUE}.")
    String host = "127.0.0.1";

    @Option(names = "--port", defaultValue = "0", description = "TCP port, 0 for any. Default: ${DEFAULT-VALUE}.")
    int port;

    @Override
    public Integer call() throws IOException {
        String secret = main().installation()
                .configuration()
                .orThrow()
                .values(EngineOptions.GROUP)
                .string(EngineOptions.SECRET);
        try (BootstrapServer server = BootstrapServer.start(BootstrapSettings.of(host, port, secret))) {
            Map<String, Object> ready = new LinkedHashMap<>();
            ready.put("event", "ready");
            ready.put("host", server.host());
            ready.put("port", server.port());
            out().println(JsonMapper.shared().writeValueAsString(ready));
            out().flush();
            awaitQuit();
        }
        return OK;
    }

    private static void awaitQuit() throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.contains("\"quit\"")) {
                return;
            }
        }
    }
}
