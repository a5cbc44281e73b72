package io.weft.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weft.testkit.jars.JarBuilder;
import io.weft.testkit.jars.VendorProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The unpacked distribution as a user has it, with vendors' jars that were built against nothing but {@code io.weft.api}. */
@Timeout(300)
class DistributionIT {
    @TempDir
    static Path directory;

    private static Path home;

    /** What a run printed and how it ended. */
    private record Run(int exit, String out, String err) {}

    @BeforeAll
    static void unpackAndAddPlugins() throws IOException, InterruptedException {
        Path tar;
        try (Stream<Path> files = Files.list(Path.of("target"))) {
            tar = files.filter(f -> f.getFileName().toString().matches("weft-.*\\.tar\\.gz"))
                    .findFirst()
                    .orElseThrow();
        }
        assertThat(run(Map.of(), "tar", "xzf", tar.toAbsolutePath().toString(), "-C", directory.toString())
                        .exit())
                .isZero();
        try (Stream<Path> unpacked = Files.list(directory)) {
            home = unpacked.filter(f -> f.getFileName().toString().startsWith("weft-"))
                    .findFirst()
                    .orElseThrow();
        }
        // No cache is made but where a test asks for it: it would outlive the test in the background.
        Files.createFile(home.resolve("cache"));
        addModularPlugin("acme", "1");
        addModularPlugin("rival", "2");
        addPlainPlugin("plain", "3");
        // A backend that needs nothing else may be a single jar.
        VendorProvider.good("vendor.lone.Nic", "lone").jar().build(home.resolve("plugins/lone.jar"));
        Files.createDirectories(home.resolve("plugins/hollow"));
        addModularPlugin("hoarder", "4");
        for (Path jar : lib()) {
            if (jar.getFileName().toString().matches("(weft-api|jspecify)-.*")) {
                Files.copy(jar, home.resolve("plugins/hoarder").resolve(jar.getFileName()));
            }
        }
        Path greedy = Files.createDirectories(home.resolve("plugins/greedy"));
        new JarBuilder()
                .modulePath(lib())
                .source("module-info", "module greedy { requires io.weft.core; }")
                .build(greedy.resolve("greedy.jar"));
    }

    @Test
    void everyPluginIsListedWithItsOwnLibrary() throws IOException, InterruptedException {
        Run run = weft("backends", "--json");

        assertThat(run.exit()).as(run.err()).isZero();
        Map<String, JsonNode> backends = byName(run);
        assertThat(backends.get("acme").get("version").asString()).isEqualTo("1");
        assertThat(backends.get("rival").get("version").asString()).isEqualTo("2");
        assertThat(backends.get("plain").get("version").asString()).isEqualTo("3");
        assertThat(backends.get("acme").get("source").asString())
                .contains("plugins/acme/acme.jar")
                .endsWith("(plugin acme)");
        // The hoarder brings its own copy of the API, as careless packaging does.
        for (String usable : List.of("acme", "rival", "plain", "lone", "hoarder", "tcp")) {
            assertThat(backends.get(usable).get("usable").asBoolean())
                    .as(usable)
                    .isTrue();
        }
    }

    @Test
    void aPluginThatCannotBeUsedSaysWhyAndDisturbsNothing() throws IOException, InterruptedException {
        Map<String, JsonNode> backends = byName(weft("backends", "--json"));

        assertThat(backends.get("plugin hollow").get("reason").asString()).endsWith("hollow has no jar");
        assertThat(backends.get("plugin greedy").get("reason").asString())
                .contains("module greedy requires io.weft.core", "only io.weft.api is shared with a plug-in");
    }

    @Test
    void aVendorsBackendIsSelectedByConfiguration() throws IOException, InterruptedException {
        Run run = weft("explain", "--json", "--set", "weft.backends.order=acme");

        assertThat(run.exit()).as(run.err()).isZero();
        JsonNode first =
                JsonMapper.shared().readTree(run.out()).get("candidates").get(0);
        assertThat(first.get("name").asString()).isEqualTo("acme");
        assertThat(first.get("verdict").asString()).isEqualTo("CHOSEN");
    }

    @Test
    void aVendorsBackendCarriesTransfersBetweenProcesses() throws IOException, InterruptedException {
        Path result = directory.resolve("bench.json");

        Run run = weft(
                "bench",
                "--backend",
                "acme",
                "--size",
                "4096",
                "--batch",
                "1",
                "--seconds",
                "0.2",
                "--warmup",
                "0.1",
                "--json",
                result.toString());

        assertThat(run.exit()).as(run.out() + run.err()).isZero();
        assertThat(result).content().contains("acme");
    }

    /** The rule is also tried with a target in a process of its own, which has to find the plug-in as well. */
    @Test
    void theKitTriesAVendorsBackend() throws IOException, InterruptedException {
        String report = directory.resolve("certificate").toString();

        Run run = weft("tck", "--backend", "acme", "--profile", "quick", "--rules", "WR-1", "--report", report);

        assertThat(run.exit()).as(run.out() + run.err()).isZero();
        assertThat(run.out()).contains("1 passed");
    }

    @Test
    void theDirectoryOfPluginsMayBeElsewhere() throws IOException, InterruptedException {
        Path elsewhere = Files.createDirectories(directory.resolve("elsewhere"));

        Run run = run(environment("WEFT_PLUGINS", elsewhere.toString()), launcher(), "backends", "--json");

        assertThat(byName(run)).containsKey("tcp").doesNotContainKey("acme");
    }

    @Test
    void theFirstUseMakesACacheThatChangesNothingButTheTime() throws IOException, InterruptedException {
        Path caches = directory.resolve("caches");
        Map<String, String> environment = environment("XDG_CACHE_HOME", caches.toString());

        run(environment, launcher(), "options", "--json");

        Path cache = await().atMost(Duration.ofMinutes(2)).until(() -> onlyCache(caches), Objects::nonNull);
        Run cached = run(environment, launcher(), "options", "--json");
        assertThat(cached).isEqualTo(weft("options", "--json"));
        assertThat(cached.err()).isEmpty();
        assertThat(onlyCache(caches)).isEqualTo(cache);
        // A cache that was damaged must not be what stops the command.
        Files.writeString(cache, "damaged");
        assertThat(run(environment, launcher(), "options", "--json")).isEqualTo(cached);
    }

    /** The cache if it is there and nobody is making it any more. */
    private static @Nullable Path onlyCache(Path caches) throws IOException {
        try (Stream<Path> files = Files.walk(caches)) {
            List<Path> made = files.filter(f -> f.getParent().endsWith("weft")).toList();
            return made.size() == 1 && made.getFirst().toString().endsWith(".aot") ? made.getFirst() : null;
        }
    }

    @Test
    void theLauncherSaysWhichJavaItNeeds() throws IOException, InterruptedException {
        Run run = run(Map.of("JAVA_HOME", directory.toString()), launcher(), "--version");

        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.err()).contains("needs Java 25 or newer", "Set JAVA_HOME");
    }

    @Test
    void theVersionIsTold() throws IOException, InterruptedException {
        assertThat(weft("--version").out()).startsWith("weft 0.").doesNotContain("development");
    }

    @Test
    void everyLibraryIsListedWithItsLicence() throws IOException {
        String listed = Files.readString(home.resolve("licences/THIRD-PARTY.md"));
        try (Stream<Path> jars = Files.list(home.resolve("lib"))) {
            assertThat(jars.map(j -> j.getFileName().toString().replaceAll("-[0-9].*", "")))
                    .filteredOn(name -> !name.startsWith("weft-"))
                    .isNotEmpty()
                    .allSatisfy(name -> assertThat(listed).contains("| " + name + " |"));
        }
        assertThat(home).isDirectoryContaining("glob:**/LICENSE").isDirectoryContaining("glob:**/docs");
    }

    /** The tcp backend under another name, compiled by somebody else, with a library that others have in other versions. */
    private static void addModularPlugin(String name, String version) throws IOException {
        Path plugin = Files.createDirectories(home.resolve("plugins").resolve(name));
        Path library = library(version)
                .source("module-info", "module vendor.library { exports vendor.library; }")
                .modulePath(lib())
                .build(plugin.resolve("library.jar"));
        List<Path> path = Stream.concat(lib().stream(), Stream.of(library)).toList();
        JarBuilder jar = new JarBuilder().modulePath(path);
        for (Map.Entry<String, String> source : tcpSources(name).entrySet()) {
            jar.source(source.getKey(), source.getValue());
        }
        jar.build(plugin.resolve(name + ".jar"));
    }

    private static Map<String, String> tcpSources(String name) throws IOException {
        Map<String, String> sources = new TreeMap<>();
        String rename = "vendor." + name;
        try (Stream<Path> files = Files.walk(Path.of("..", "backend-tcp-loopback", "src", "main", "java"))) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                String text = Files.readString(file).replace("io.weft.backend.tcp", rename);
                String simple = file.getFileName().toString().replace(".java", "");
                switch (simple) {
                    case "module-info" ->
                        sources.put(
                                simple,
                                text.replace(
                                        "requires io.weft.api;", "requires io.weft.api; requires vendor.library;"));
                    case "TcpProvider" ->
                        sources.put(
                                rename + "." + simple,
                                text.replace("return \"tcp\";", "return \"" + name + "\";")
                                        .replace(
                                                "public int priority() {",
                                                "public String version() { return vendor.library.Library.VERSION(); }\n"
                                                        + "@Override public int priority() {"));
                    default -> sources.put(rename + "." + simple, text);
                }
            }
        }
        return sources;
    }

    private static void addPlainPlugin(String name, String version) throws IOException {
        Path plugin = Files.createDirectories(home.resolve("plugins").resolve(name));
        VendorProvider provider = VendorProvider.good("vendor.plain.Nic", name)
                .withMembers("public String version() { return vendor.library.Library.VERSION(); }");
        library(version)
                .source(provider.className(), provider.source())
                .service("io.weft.spi.BackendProvider", provider.className())
                .build(plugin.resolve(name + ".jar"));
    }

    private static JarBuilder library(String version) {
        return new JarBuilder()
                .source(
                        "vendor.library.Library",
                        "package vendor.library; public class Library { public static String VERSION() { return \""
                                + version + "\"; } }");
    }

    private static List<Path> lib() throws IOException {
        try (Stream<Path> jars = Files.list(home.resolve("lib"))) {
            return jars.toList();
        }
    }

    private static Map<String, JsonNode> byName(Run run) {
        Map<String, JsonNode> backends = new TreeMap<>();
        JsonMapper.shared()
                .readTree(run.out())
                .get("backends")
                .forEach(b -> backends.put(b.get("name").asString(), b));
        return backends;
    }

    private static Run weft(String... args) throws IOException, InterruptedException {
        return run(environment("JAVA_HOME", System.getProperty("java.home")), command(launcher(), args));
    }

    private static String launcher() {
        return home.resolve("bin/weft").toString();
    }

    private static String[] command(String first, String... rest) {
        return Stream.concat(Stream.of(first), Stream.of(rest)).toArray(String[]::new);
    }

    private static Map<String, String> environment(String name, String value) {
        Map<String, String> environment = new TreeMap<>(Map.of("JAVA_HOME", System.getProperty("java.home")));
        environment.put(name, value);
        return environment;
    }

    private static Run run(Map<String, String> environment, String... command)
            throws IOException, InterruptedException {
        Path out = Files.createTempFile(directory, "out", "");
        Path err = Files.createTempFile(directory, "err", "");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("WEFT_"));
        builder.environment().put("XDG_CACHE_HOME", "/dev/null");
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS))
                    .as(String.join(" ", command))
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Run(process.exitValue(), Files.readString(out), Files.readString(err));
    }
}
