package io.weft.engine.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.api.Access;
import io.weft.api.ErrorCode;
import io.weft.api.MemoryKind;
import io.weft.api.WeftException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExportedKeyTest {
    private static final Set<Access> RIGHTS = EnumSet.of(Access.REMOTE_WRITE, Access.LOCAL_READ);

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4096})
    void readsWhatItWrote(int keyBytes) {
        byte[] key = new byte[keyBytes];
        new Random(1).nextBytes(key);
        ExportedKey written = new ExportedKey(RIGHTS, -8, Long.MAX_VALUE, new MemoryKind("cuda"), key);
        byte[] bytes = written.encode();
        assertThat(bytes).hasSizeLessThanOrEqualTo(keyBytes + ExportedKey.MAX_OVERHEAD);
        ExportedKey read = ExportedKey.decode(bytes);
        assertThat(read.access()).isEqualTo(RIGHTS);
        assertThat(read.address()).isEqualTo(-8);
        assertThat(read.length()).isEqualTo(Long.MAX_VALUE);
        assertThat(read.kind()).isEqualTo(MemoryKind.CUDA);
        assertThat(read.key()).isEqualTo(key);
        assertThat(read.toString()).doesNotContain(Arrays.toString(key));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 18, 19, 22})
    void refusesWhatIsTruncated(int length) {
        byte[] whole = new ExportedKey(RIGHTS, 1, 1, MemoryKind.HOST, new byte[0]).encode();
        assertThatThrownBy(() -> ExportedKey.decode(Arrays.copyOf(whole, length)))
                .isInstanceOfSatisfying(
                        WeftException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PROTOCOL));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 10, 18, 19})
    void refusesWhatIsWrong(int at) {
        byte[] bytes = new ExportedKey(RIGHTS, 1, 1, MemoryKind.HOST, new byte[0]).encode();
        bytes[at] = (byte) 0xFF;
        assertThatThrownBy(() -> ExportedKey.decode(bytes)).isInstanceOf(WeftException.class);
    }
}
