/** The {@code weft} command. */
// ascii-table publishes a stable Automatic-Module-Name but no descriptor; nothing is exported from here.
@SuppressWarnings("requires-automatic")
module io.weft.cli {
    requires io.weft.api;
    requires io.weft.core;
    requires info.picocli;
    requires static org.jspecify;

    opens io.weft.cli to
            info.picocli;
}
