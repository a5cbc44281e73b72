package io.weft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.TransferEngine;
import io.weft.config.ConfigurationSources;
import io.weft.engine.Descriptors;
import io.weft.engine.Weft;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

@Timeout(60)
class ExplainCommandTest {
    @TempDir
    Path directory;

    @Test
    void theConfiguredOrderDecidesAndIsToldWithEachCandidate() {
        InProcess run = InProcess.weft(
                directory,
                "explain",
                "--json",
                "--set",
                "weft.backends.order=mem,tcp",
                "--set",
                "weft.backends.deny=libfabric");

        assertThat(run.exit()).as(run.err()).isZero();
        JsonNode candidates = run.json().get("candidates");
        assertThat(candidates)
                .allSatisfy(c -> assertThat(c.propertyNames())
                        .containsExactly("name", "version", "spiLevel", "source", "verdict", "evidence"));
        assertThat(candidates.get(0).get("name").asString()).isEqualTo("mem");
        assertThat(candidates.get(0).get("verdict").asString()).isEqualTo("CHOSEN");
        assertThat(candidates.get(1).get("name").asString()).isEqualTo("tcp");
        assertThat(candidates.get(1).get("verdict").asString()).isEqualTo("OUTRANKED");
        assertThat(candidates.valueStream()).anySatisfy(c -> {
            assertThat(c.get("name").asString()).isEqualTo("libfabric");
            assertThat(c.get("evidence").asString()).isEqualTo("weft.backends.deny names libfabric");
        });
    }

    @Test
    void aReachablePeerIsAsked() {
        try (TransferEngine peer = Weft.builder()
                .configuration(ConfigurationSources.none(directory))
                .option("weft.backends.allow", "tcp")
                .open()) {
            InProcess run = InProcess.weft(
                    directory, "explain", "--json", "--peer", hex(peer), "--set", "weft.backends.allow=tcp,mem");

            assertThat(run.exit()).as(run.err()).isZero();
            assertThat(run.json().get("connection").asString()).isEqualTo("connected");
            assertThat(run.json().get("candidates").valueStream())
                    .anySatisfy(c -> {
                        assertThat(c.get("name").asString()).isEqualTo("tcp");
                        assertThat(c.get("verdict").asString()).isEqualTo("CHOSEN");
                    })
                    .anySatisfy(c -> {
                        assertThat(c.get("name").asString()).isEqualTo("mem");
                        assertThat(c.get("verdict").asString()).isEqualTo("PEER_LACKS_IT");
                    });
        }
    }

    @Test
    void anUnreachablePeerIsSaidToBe() {
        String gone;
        try (TransferEngine peer = Weft.builder()
                .configuration(ConfigurationSources.none(directory))
                .option("weft.backends.allow", "mem")
                .open()) {
            gone = hex(peer);
        }

        InProcess run = InProcess.weft(directory, "explain", "--json", "--peer", gone);

        assertThat(run.json().get("connection").asString()).startsWith("not connected: ");
    }

    @ParameterizedTest
    @CsvSource({
        "--memory=host, is not like host->cuda",
        "--memory=Host->host, memory kind 'Host' must be",
        "--memory=cuda:x->host, must be a device index",
        "--peer=zz, --peer is not the hex of an engine descriptor",
    })
    void wrongArgumentsAreBadUsage(String argument, String words) {
        InProcess run = InProcess.weft(directory, "explain", argument);

        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains(words);
    }

    @Test
    void memoryThatNoBackendMovesHasNoRoute() {
        InProcess run = explainDevices("fail");

        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.out()).contains("MISSING_CAPABILITY", "write cuda->acme directly", "the route policy is fail");
    }

    @Test
    void memoryThatNoBackendMovesIsStaged() {
        InProcess run = explainDevices("allow");

        assertThat(run.exit()).isZero();
        assertThat(run.out()).contains("tcp", "staged");
    }

    private InProcess explainDevices(String policy) {
        return InProcess.weft(
                directory,
                "explain",
                "--memory",
                "cuda:1->acme",
                "--set",
                "weft.backends.allow=tcp",
                "--set",
                "weft.route.policy=" + policy);
    }

    @Test
    void completionIsAShellScript() {
        InProcess run = InProcess.weft(directory, "completion");

        assertThat(run.exit()).isZero();
        assertThat(run.out()).startsWith("#!/usr/bin/env bash").contains("descriptor decode", "doctor");
    }

    private static String hex(TransferEngine engine) {
        return HexFormat.of().formatHex(Descriptors.pack(engine.descriptor()));
    }
}
