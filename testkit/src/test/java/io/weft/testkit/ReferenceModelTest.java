package io.weft.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class ReferenceModelTest {
    private final ReferenceModel model = new ReferenceModel();

    @BeforeEach
    void regions() {
        model.region("a", MemorySegment.ofArray(new byte[] {1, 2, 3, 4}));
        model.region("b", MemorySegment.ofArray(new byte[] {9, 9, 9, 9}));
    }

    private boolean legal(int... bytes) {
        byte[] actual = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            actual[i] = (byte) bytes[i];
        }
        return model.observe("b", MemorySegment.ofArray(actual)).isEmpty();
    }

    @Test
    void aSuccessAllowsOneOutcome() {
        model.moved("a", 1, "b", 0, 2);
        assertThat(legal(9, 9, 9, 9)).isFalse();
        assertThat(legal(2, 9, 9, 9)).isFalse();
        assertThat(legal(2, 3, 9, 9)).isTrue();
        assertThat(legal(2, 3, 4, 9)).isFalse();
    }

    @Test
    void aFailureAllowsAnySubsetOfTheNamedBytes() {
        model.mayHaveMoved("a", 0, "b", 1, 2);
        assertThat(legal(1, 9, 9, 9)).as("a byte that was not named").isFalse();
        assertThat(legal(9, 2, 9, 9)).as("another value than the source's").isFalse();
        assertThat(legal(9, 9, 2, 9)).isTrue();
    }

    @Test
    void aLookSettlesTheDoubt() {
        model.mayHaveMoved("a", 0, "b", 0, 1);
        assertThat(legal(1, 9, 9, 9)).isTrue();
        assertThat(legal(9, 9, 9, 9)).isFalse();
        assertThat(model.expected("b")).containsExactly(1, 9, 9, 9);
    }

    @Test
    void doubtTravelsAlong() {
        model.mayHaveMoved("a", 0, "b", 0, 1);
        model.moved("b", 0, "b", 3, 1);
        assertThat(legal(1, 9, 9, 5)).isFalse();
        assertThat(legal(1, 9, 9, 9)).isTrue();
    }

    @Test
    void aStoreEndsTheDoubt() {
        model.mayHaveMoved("a", 0, "b", 0, 2);
        model.stored("b", 0, new byte[] {7});
        assertThat(legal(1, 9, 9, 9)).isFalse();
        assertThat(legal(7, 2, 9, 9)).isTrue();
    }
}
