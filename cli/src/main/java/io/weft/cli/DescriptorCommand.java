package io.weft.cli;

import io.weft.config.TextFile;
import java.io.IOException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows what a descriptor says and makes one from JSON. */
@Command(
        name = "descriptor",
        description = "Show what a packed engine or memory descriptor says, or pack one.",
        subcommands = {DescriptorCommand.Decode.class, DescriptorCommand.Encode.class})
final class DescriptorCommand extends WeftCommand {
    /** No descriptor comes near it. */
    private static final int LARGEST = 1 << 20;

    @Override
    public Integer call() {
        throw badUsage("say decode or encode");
    }

    /** From hex. */
    @Command(name = "decode", description = "Show what a packed descriptor says.")
    static final class Decode extends WeftCommand {
        @Parameters(paramLabel = "HEX", description = "The packed bytes in hex, @FILE for a file that holds them.")
        String hex = "";

        @Option(names = "--json", description = "Print JSON, the form that encode reads.")
        boolean json;

        @Override
        public Integer call() throws IOException {
            Map<String, Object> descriptor = DescriptorJson.decode(bytes(argument(hex)));
            if (json) {
                out().println(Json.write(descriptor));
            } else {
                Table table = new Table("FIELD", "VALUE");
                descriptor.forEach((name, value) -> {
                    if (value instanceof Map<?, ?> fields) {
                        fields.forEach((key, field) -> table.row(key.toString(), field.toString()));
                    } else {
                        table.row(name, value.toString());
                    }
                });
                out().print(table);
            }
            return OK;
        }

        private byte[] bytes(String text) {
            try {
                return HexFormat.of().parseHex(text.replaceAll("\\s", "").toLowerCase(Locale.ROOT));
            } catch (IllegalArgumentException e) {
                throw badUsage("not hex: " + e.getMessage());
            }
        }
    }

    /** To hex. */
    @Command(name = "encode", description = "Pack a descriptor and print it in hex.")
    static final class Encode extends WeftCommand {
        @Parameters(
                paramLabel = "JSON",
                description = "The descriptor as decode --json prints it, @FILE for a file that holds it.")
        String json = "";

        @Override
        public Integer call() throws IOException {
            out().println(HexFormat.of().formatHex(DescriptorJson.encode(argument(json))));
            return OK;
        }
    }

    private static String argument(String text) throws IOException {
        return text.startsWith("@") ? TextFile.read(text.substring(1), LARGEST) : text;
    }
}
