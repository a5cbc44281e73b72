package io.weft.cli;

import io.weft.bootstrap.BootstrapOptions;
import io.weft.bootstrap.BootstrapServer;
import io.weft.cli.rank.Operations;
import io.weft.config.Configuration;
import io.weft.config.EngineOptions;
import io.weft.ops.OpsSources;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs a bootstrap registry until it is told to quit. */
@Command(
        name = "bootstrap",
        description = "Run the registry where prefill ranks say where they are and decode ranks ask.",
        footer = {
            "%nPrints {\"event\":\"ready\",\"host\":...,\"port\":...} when it serves, and ends on a line",
            "{\"op\":\"quit\"} or at the end of standard input. The secret is weft.secret (WEFT_SECRET)."
        })
final class BootstrapCommand extends WeftCommand {
    @Option(
            names = "--host",
            defaultValue = "127.0.0.1",
            description = "Address to listen on; a wildcard listens everywhere (default: ${DEFAULT-VALUE}).")
    String host = "127.0.0.1";

    @Option(
            names = "--port",
            defaultValue = "0",
            description = "TCP port, 0 lets the system choose (default: ${DEFAULT-VALUE}).")
    int port;

    @Override
    public Integer call() throws IOException {
        if (port < 0 || port > 65_535) {
            throw badUsage("--port " + port + ": must be 0 to 65535");
        }
        Configuration configuration = main().installation().configuration().orThrow();
        String secret = configuration.values(EngineOptions.GROUP).string(EngineOptions.SECRET);
        if (secret.isEmpty() && !isLoopback()) {
            err().println(
                            "weft: warning: anybody who reaches " + host
                                    + " may register ranks; set WEFT_SECRET where all ranks are Weft's, or listen on a private address");
        }
        try (BootstrapServer server = BootstrapServer.start(
                        BootstrapOptions.settings(configuration.values(BootstrapOptions.GROUP), host, port, secret));
                Operations ops = Operations.of(
                        configuration,
                        new OpsSources()
                                .metrics(server.metrics())
                                .aliveWhen(server::alive)
                                .page(() -> StatusPage.html(server.view())))) {
            Map<String, Object> ready = new LinkedHashMap<>();
            ready.put("event", "ready");
            ready.put("host", server.host());
            ready.put("port", server.port());
            if (ops.port() > 0) {
                ready.put("opsPort", ops.port());
            }
            print(ready);
            awaitQuit(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
        }
        return OK;
    }

    private boolean isLoopback() {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException toldWhenBinding) {
            return true;
        }
    }

    private void awaitQuit(BufferedReader lines) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String op = line.isBlank() ? "" : op(line);
            if (op.equals("quit")) {
                return;
            }
            if (!line.isBlank()) {
                Map<String, Object> error = new LinkedHashMap<>();
                error.put("event", "error");
                error.put("op", op);
                error.put("text", "not understood; the only op is quit");
                print(error);
            }
        }
    }

    private static String op(String line) {
        try {
            JsonNode op = JsonMapper.shared().readTree(line).path("op");
            return op.isString() ? op.asString() : "";
        } catch (JacksonException noJson) {
            return "";
        }
    }

    private void print(Map<String, Object> event) {
        out().println(Json.line(event));
        out().flush();
    }
}
