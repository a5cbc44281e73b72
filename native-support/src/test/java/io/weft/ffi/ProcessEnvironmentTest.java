package io.weft.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessEnvironmentTest {
    @Test
    void setsOnceAndKeepsWhatTheDeployerSet() {
        String name = "WEFT_TEST_" + Long.toHexString(System.nanoTime());

        assertThat(ProcessEnvironment.setIfAbsent(name, "first")).isEqualTo("first");
        assertThat(ProcessEnvironment.setIfAbsent(name, "second")).isEqualTo("first");
    }
}
