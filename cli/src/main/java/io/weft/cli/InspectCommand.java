package io.weft.cli;

import io.weft.config.EngineOptions;
import io.weft.ops.InspectText;
import io.weft.ops.OpsClient;
import io.weft.ops.OpsToken;
import io.weft.ops.OpsView;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows what goes on in a running process. */
@Command(
        name = "inspect",
        description =
                "Show a running engine's peers, links, transfers and rooms, and what each waits for. See docs/operations.md.",
        footer = {
            "%nThe process must have been started with weft.ops.port (WEFT_OPS_PORT); a rank tells the port in its ready"
                    + " event. The secret is weft.secret (WEFT_SECRET). Looking changes nothing and delays no transfer."
        })
final class InspectCommand extends WeftCommand {
    private static final String PID = "[0-9]{1,10}";

    @Parameters(
            arity = "0..1",
            paramLabel = "HOST:PORT|PID",
            description = "Where the process serves operations, or a process of this host and user.")
    @Nullable
    String address;

    @Option(names = "--json", description = "Print JSON, one line for each look.")
    boolean json;

    @Option(names = "--watch", description = "Look again every second until interrupted.")
    boolean watch;

    @Option(
            names = "--token",
            description =
                    "Print the token that a scraper or a browser (as password) shows instead of the secret, and look at"
                            + " nothing.")
    boolean token;

    @Override
    public Integer call() throws InterruptedException {
        String secret = main().installation()
                .configuration()
                .orThrow()
                .values(EngineOptions.GROUP)
                .string(EngineOptions.SECRET);
        if (token) {
            if (secret.isEmpty()) {
                throw badUsage("--token needs a secret: set WEFT_SECRET or weft.secret-file");
            }
            out().println(OpsToken.of(secret));
            return OK;
        }
        if (address == null) {
            throw badUsage("say which process: HOST:PORT, as the rank tells in its ready event, or its PID");
        }
        String where = address.matches(PID) ? OpsClient.addressOf(Long.parseLong(address)) : address;
        try (OpsClient client = new OpsClient(secret)) {
            show(client.inspect(where));
            while (watch && !out().checkError()) {
                TimeUnit.SECONDS.sleep(1);
                out().println();
                show(client.inspect(where));
            }
        }
        return OK;
    }

    private void show(OpsView view) {
        if (json) {
            out().println(Json.line(view));
        } else {
            out().print(InspectText.of(view));
        }
        out().flush();
    }
}
