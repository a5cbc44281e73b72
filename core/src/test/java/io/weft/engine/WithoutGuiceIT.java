package io.weft.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** The contract on a class path without Guice; the build runs it in an execution of its own. */
class WithoutGuiceIT extends BuilderEmbeddingTest {
    @Test
    void guiceIsNotThere() {
        assertThatThrownBy(() -> Class.forName("com.google.inject.Injector"))
                .isInstanceOf(ClassNotFoundException.class);
    }
}
