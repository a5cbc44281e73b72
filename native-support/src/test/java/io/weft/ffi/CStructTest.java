package io.weft.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class CStructTest {
    @TempDir
    Path directory;

    @Test
    void padsAsTheCompilerDoes() throws Throwable {
        StructLayout inner =
                CStruct.named("inner").bytes("a").shorts("b").bytes("c").build();
        StructLayout outer = CStruct.named("outer")
                .bytes("a")
                .longs("b")
                .ints("c")
                .field("d", inner)
                .byteArray("e", 5)
                .pointers("f")
                .bytes("g")
                .build();

        Path library = TestLibrary.compile(directory, "liblayout.so", """
                #include <stddef.h>
                #include <stdint.h>
                struct inner { char a; short b; char c; };
                struct outer { char a; uint64_t b; int c; struct inner d; char e[5]; void *f; char g; };
                long at(int i) {
                    long v[] = { sizeof(struct inner), sizeof(struct outer), offsetof(struct outer, b),
                        offsetof(struct outer, c), offsetof(struct outer, d), offsetof(struct outer, e),
                        offsetof(struct outer, f), offsetof(struct outer, g), offsetof(struct inner, b) };
                    return v[i];
                }
                """);
        var at = LibrarySearch.of(List.of(library.toString()))
                .run()
                .library()
                .orElseThrow()
                .function("at", FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT));
        long[] java = {
            inner.byteSize(),
            outer.byteSize(),
            CStruct.offset(outer, "b"),
            CStruct.offset(outer, "c"),
            CStruct.offset(outer, "d"),
            CStruct.offset(outer, "e"),
            CStruct.offset(outer, "f"),
            CStruct.offset(outer, "g"),
            CStruct.offset(inner, "b")
        };
        for (int i = 0; i < java.length; i++) {
            assertThat(java[i]).as("value %d", i).isEqualTo((long) at.invokeExact(i));
        }
    }
}
