/** The {@code weft} command. */
module io.weft.cli {
    requires io.weft.api;
    requires io.weft.core;
    requires info.picocli;
    requires tools.jackson.databind;
    requires static org.jspecify;

    uses io.weft.spi.WireVectors;

    opens io.weft.cli to
            info.picocli;
}
