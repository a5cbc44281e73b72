package io.weft.engine.internal.control.socket;

import static io.weft.engine.internal.control.socket.SocketControlPlaneTest.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weft.api.ErrorCode;
import io.weft.engine.internal.control.ControlSession;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shared secrets between engines. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SecretTest {
    private final List<TestEngine> engines = new ArrayList<>();

    @AfterEach
    void closeAll() {
        engines.forEach(TestEngine::close);
    }

    private TestEngine engine(String key, @Nullable String secret) {
        TestEngine engine = TestEngine.start(key, s -> s.secret(secret));
        engines.add(engine);
        return engine;
    }

    @ParameterizedTest
    @CsvSource({"tr0ub4dor, correct horse", "tr0ub4dor, ", " , correct horse"})
    void differentSecretsAreAuthenticationErrorsThatSayWhatToDo(@Nullable String ofA, @Nullable String ofB) {
        TestEngine a = engine("a", ofA);
        TestEngine b = engine("b", ofB);
        var failure =
                assertFails(ErrorCode.AUTHENTICATION, () -> a.connect(b)).hasMessageContaining("give both the same");
        if (ofA != null) {
            failure.hasMessageNotContaining(ofA);
        }
        assertThat(a.handler.events).isEmpty();
        assertThat(b.handler.events).isEmpty();
    }

    @Test
    void lanesAreProvedByTheSession() {
        TestEngine a = engine("a", "s");
        TestEngine b = engine("b", "s");
        ControlSession toB = a.connect(b);
        ControlSession toA = b.connect(a);
        byte[] lane = {1, 2, 3};
        byte[] proof = toB.prove(lane);
        assertThat(proof).hasSize(32);
        assertThat(toA.verify(lane, proof)).isTrue();
        assertThat(toA.verify(new byte[] {1, 2, 4}, proof)).isFalse();
        assertThat(toA.verify(lane, new byte[0])).isFalse();
        // Sent back to its maker it proves nothing.
        assertThat(toB.verify(lane, proof)).isFalse();
        // Nor in the next session.
        toB.close("test");
        await().until(() -> b.plane.find("a").isEmpty());
        a.connect(b);
        await().until(() -> b.plane.find("a").isPresent());
        assertThat(b.plane.find("a").orElseThrow().verify(lane, proof)).isFalse();
    }

    @Test
    void lanesToOneselfAreProvedToo() {
        TestEngine a = engine("a", "s");
        ControlSession self = a.connect(a);
        byte[] lane = {1};
        assertThat(self.verify(lane, self.prove(lane))).isTrue();
        assertThat(self.verify(lane, new byte[32])).isFalse();
    }

    @Test
    void withoutASecretThereIsNothingToProve() {
        TestEngine a = engine("a", null);
        TestEngine b = engine("b", "");
        ControlSession toB = a.connect(b);
        assertThat(toB.prove(new byte[1])).isEmpty();
        assertThat(toB.verify(new byte[1], new byte[0])).isTrue();
    }
}
