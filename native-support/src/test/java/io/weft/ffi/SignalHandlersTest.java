package io.weft.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.FunctionDescriptor;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SignalHandlersTest {
    @TempDir
    Path directory;

    @Test
    void namesWhoTookAHandlerAndGivesItBack() throws Throwable {
        Path thief = TestLibrary.compile(directory, "libthief.so", """
                #include <signal.h>
                static void nothing(int s) { (void) s; }
                void steal(void) { signal(SIGPIPE, nothing); }
                """);
        var steal = LibrarySearch.of(List.of(thief.toString()))
                .run()
                .library()
                .orElseThrow()
                .function("steal", FunctionDescriptor.ofVoid());

        SignalHandlers before = SignalHandlers.now();
        steal.invokeExact();

        assertThat(before.restore()).singleElement().asString().contains("SIGPIPE", "libthief.so", "given back");
        assertThat(before.restore()).isEmpty();
    }
}
