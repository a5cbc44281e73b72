package io.weft.cli;

import io.weft.config.ConfigurationSources;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One run of the command inside the test's process. */
record InProcess(int exit, String out, String err) {
    static InProcess weft(Path directory, String... args) {
        return weft(directory, Map.of(), args);
    }

    static InProcess weft(Path directory, Map<String, String> environment, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        ConfigurationSources sources = ConfigurationSources.none(directory).withEnvironment(environment);
        int exit = Main.run(sources, new PrintWriter(out), new PrintWriter(err), args);
        return new InProcess(exit, out.toString(), err.toString());
    }

    /** Whether {@code weft backends} calls a backend usable on this machine. */
    static boolean isUsable(Path directory, String backend) {
        return weft(directory, "backends", "--json")
                .json()
                .get("backends")
                .valueStream()
                .anyMatch(each -> each.get("name").asString().equals(backend)
                        && each.get("usable").asBoolean());
    }

    JsonNode json() {
        return JsonMapper.shared().readTree(out);
    }
}
