package io.weft.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.Verdict;
import io.weft.config.ConfigurationSources;
import io.weft.testkit.jars.VendorProvider;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A provider that misbehaves is reported with its jar and its reason, and the one beside it works. */
@Timeout(60)
class BrokenProvidersTest {
    private static final String HANG =
            "try { new java.util.concurrent.CountDownLatch(1).await(); } catch (InterruptedException e) { }";
    private static final VendorProvider VENDOR = VendorProvider.good("acme.Broken", "acme");

    @TempDir
    static Path shared;

    private static Path goodJar;

    @TempDir
    Path directory;

    private final List<URLClassLoader> loaders = new ArrayList<>();

    @BeforeAll
    static void buildTheGoodOne() throws IOException {
        goodJar = VendorProvider.good("fine.Good", "good").jar().build(shared.resolve("good.jar"));
    }

    @AfterEach
    void closeLoaders() throws IOException {
        for (URLClassLoader loader : loaders) {
            loader.close();
        }
    }

    static List<Arguments> providersThatCannotBeLoaded() {
        return List.of(
                Arguments.of(
                        "throwing constructor",
                        VENDOR.withMembers("public NAME() { throw new IllegalStateException(\"no licence\"); }"),
                        List.of("IllegalStateException: no licence at acme.Broken.<init>(Broken.java:")),
                Arguments.of(
                        "throwing static initialiser",
                        VENDOR.withMembers("static final int X = Integer.parseInt(\"nine\");"),
                        List.of("NumberFormatException", "nine")),
                Arguments.of(
                        "hanging constructor",
                        VENDOR.withMembers("public NAME() { " + HANG + " }"),
                        List.of("the constructor did not end within 2000 ms; it is at acme.Broken.<init>")),
                Arguments.of(
                        "endless recursion",
                        VENDOR.withMembers("int down() { return 1 + down(); } public NAME() { down(); }"),
                        List.of("StackOverflowError")),
                Arguments.of(
                        "bad name",
                        VENDOR.withName("\"Acme NIC\""),
                        List.of("its name is 'Acme NIC'; a name is a lower-case letter")),
                Arguments.of("no name", VENDOR.withName("null"), List.of("its name is 'null'")),
                Arguments.of(
                        "bad option",
                        VENDOR.withOptions("OptionSpec.integer(\"lanes\", 99, 1, 8, \"Lanes.\")"),
                        List.of("default '99' of option weft.backend.acme.lanes is not a whole number from 1 to 8")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void providersThatCannotBeLoaded(String what, VendorProvider broken, List<String> words) throws IOException {
        BackendCatalogue found = find(broken);

        BackendEntry entry = entry(found, "acme.Broken");
        assertThat(entry.verdict()).contains(Verdict.LOAD_FAILED);
        assertThat(entry.reason()).contains(words);
        assertThat(entry.source().location()).endsWith("acme.jar");
        assertThat(entry(found, "good").isUsable()).isTrue();
    }

    static List<Arguments> providersWhoseProbeMisbehaves() {
        return List.of(
                Arguments.of(
                        "throws",
                        "throw new IllegalStateException(\"bad firmware\");",
                        "the probe threw java.lang.IllegalStateException: bad firmware at acme.Broken.probe"),
                Arguments.of(
                        "hangs",
                        HANG + " return null;",
                        "the probe did not end within 2000 ms; it is at acme.Broken.probe"),
                Arguments.of("returns null", "return null;", "the probe returned null"),
                Arguments.of(
                        "loads a missing library",
                        "System.loadLibrary(\"acme-nic\"); return null;",
                        "the probe threw java.lang.UnsatisfiedLinkError: no acme-nic in java.library.path"),
                Arguments.of(
                        "says no",
                        "return Availability.unusable(\"/dev/acme0 is missing\", \"load the acme module\");",
                        "/dev/acme0 is missing; load the acme module"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void providersWhoseProbeMisbehaves(String what, String statements, String words) throws IOException {
        BackendCatalogue found = find(VENDOR.withProbe(statements));

        BackendEntry entry = entry(found, "acme");
        assertThat(entry.verdict()).contains(Verdict.PROBE_FAILED);
        assertThat(entry.reason()).startsWith(words);
        assertThat(entry(found, "good").isUsable()).isTrue();
    }

    @Test
    void refusesAnotherSpiLevelWithoutCallingTheProviderFurther() throws IOException {
        BackendCatalogue found = find(VENDOR.withLevel("new SpiLevel(SpiLevel.MAJOR + 1, 4)")
                .withMembers("public int priority() { throw new Error(\"called\"); }"));

        BackendEntry entry = entry(found, "acme");
        assertThat(entry.verdict()).contains(Verdict.INCOMPATIBLE);
        assertThat(entry.spiLevel()).isEqualTo("1.4");
        assertThat(entry.reason()).contains("built for SPI level 1.4, this Weft has 0.1");
        assertThat(entry(found, "good").isUsable()).isTrue();
    }

    @Test
    void refusesBothOfTwoWithOneNameAndNamesTheirJars() throws IOException {
        Path one = VENDOR.jar().build(directory.resolve("one.jar"));
        Path two = VendorProvider.good("other.Vendor", "acme").jar().build(directory.resolve("two.jar"));

        BackendCatalogue found = find(Map.of(), one, two, goodJar);

        List<BackendEntry> rivals =
                found.entries().stream().filter(e -> e.name().equals("acme")).toList();
        assertThat(rivals).hasSize(2).allSatisfy(rival -> {
            assertThat(rival.verdict()).contains(Verdict.DUPLICATE_NAME);
            assertThat(rival.reason()).contains("one.jar", "two.jar", "weft.backends.deny");
            assertThat(rival.provider()).isEmpty();
        });
        assertThat(found.find("acme")).isEmpty();
        assertThat(entry(found, "good").isUsable()).isTrue();
    }

    @Test
    void twoOfOneNameAreSettledByDenyingAClass() throws IOException {
        Path one = VENDOR.jar().build(directory.resolve("one.jar"));
        Path two = VendorProvider.good("other.Vendor", "acme").jar().build(directory.resolve("two.jar"));

        BackendCatalogue found = find(Map.of("WEFT_BACKENDS_DENY", "acme.Broken"), one, two);

        assertThat(found.find("acme")).map(BackendEntry::className).contains("other.Vendor");
        assertThat(entry(found, "acme.Broken").verdict()).contains(Verdict.DISABLED);
    }

    @Test
    void aClassDeniedByItsNameIsNotConstructed() throws IOException {
        Path jar = VENDOR.withMembers("public NAME() { System.setProperty(\"acme.constructed\", \"yes\"); }")
                .jar()
                .build(directory.resolve("acme.jar"));

        find(Map.of("WEFT_BACKENDS_DENY", "acme.Broken"), jar);

        assertThat(System.getProperty("acme.constructed")).isNull();
    }

    @Test
    void namesTheJarWhoseServiceFileNamesAMissingClass() throws IOException {
        Path jar = VendorProvider.good("acme.Present", "present")
                .jar()
                .service("io.weft.spi.BackendProvider", "acme.Absent")
                .build(directory.resolve("acme.jar"));

        BackendCatalogue found = find(Map.of(), jar);

        BackendEntry entry = entry(found, "acme.Absent");
        assertThat(entry.verdict()).contains(Verdict.LOAD_FAILED);
        assertThat(entry.reason()).contains("ClassNotFoundException: acme.Absent");
        assertThat(entry.source().location()).endsWith("acme.jar");
        assertThat(entry(found, "present").isUsable()).isTrue();
    }

    @Test
    void namesTheClassThatDoesNotLinkAndWhatItMisses() throws IOException {
        String derived = VENDOR.source().replace("public class Broken", "public class Broken extends Base");
        Path jar = VENDOR.jar()
                .source("acme.Broken", derived)
                .source("acme.Base", "package acme; public class Base {}")
                .leaveOut("acme.Base")
                .build(directory.resolve("acme.jar"));

        BackendCatalogue found = find(Map.of(), jar, goodJar);

        BackendEntry entry = entry(found, "acme.Broken");
        assertThat(entry.verdict()).contains(Verdict.LOAD_FAILED);
        assertThat(entry.reason()).contains("NoClassDefFoundError: acme/Base", "a jar it needs is missing");
        assertThat(entry(found, "good").isUsable()).isTrue();
    }

    @Test
    void theContextClassLoaderIsTheProvidersOwn() throws IOException {
        BackendCatalogue found = find(VENDOR.withProbe("""
                boolean own = Thread.currentThread().getContextClassLoader() == getClass().getClassLoader();
                return own ? Availability.usable(List.of()) : Availability.unusable("foreign loader", "");
                """));

        assertThat(entry(found, "acme").reason()).isEmpty();
    }

    @Test
    void theAllowListLeavesOthersOutAndSaysSo() throws IOException {
        Path one = VENDOR.jar().build(directory.resolve("one.jar"));

        BackendCatalogue found = find(Map.of("WEFT_BACKENDS_ALLOW", "good, tcp"), one, goodJar);

        assertThat(entry(found, "good").isUsable()).isTrue();
        assertThat(entry(found, "acme").verdict()).contains(Verdict.DISABLED);
        assertThat(entry(found, "acme").reason()).isEqualTo("weft.backends.allow has only good, tcp");
    }

    @Test
    void namesTheArtifactOfABackendThatIsCountedOnAndAbsent() throws IOException {
        BackendCatalogue found =
                find(Map.of("WEFT_BACKENDS_ORDER", "rdma,good", "WEFT_BACKENDS_ALLOW", "rdma,good,goood"), goodJar);

        assertThat(entry(found, "good").isUsable()).isTrue();
        assertThat(entry(found, "rdma").verdict()).contains(Verdict.ABSENT);
        assertThat(entry(found, "rdma").reason())
                .isEqualTo(
                        "weft.backends.order (environment WEFT_BACKENDS_ORDER) names it, but backend rdma is not on the"
                                + " path; add the artifact io.weft:weft-backend-rdma");
        assertThat(entry(found, "goood").reason())
                .startsWith("weft.backends.allow (environment WEFT_BACKENDS_ALLOW) names it")
                .endsWith("did you mean good?");
    }

    private BackendCatalogue find(VendorProvider broken) throws IOException {
        Path jar = broken.jar().build(directory.resolve("acme.jar"));
        return find(Map.of("WEFT_BACKENDS_PROVIDER_TIMEOUT", "2s"), jar, goodJar);
    }

    private BackendCatalogue find(Map<String, String> environment, Path... jars) throws IOException {
        URL[] urls = new URL[jars.length];
        for (int i = 0; i < jars.length; i++) {
            urls[i] = jars[i].toUri().toURL();
        }
        URLClassLoader loader = new URLClassLoader(urls, getClass().getClassLoader());
        loaders.add(loader);
        ConfigurationSources sources = ConfigurationSources.none(directory).withEnvironment(environment);
        return Installation.load(Discovery.empty().in(loader), sources, List.of())
                .probed()
                .backends();
    }

    private static BackendEntry entry(BackendCatalogue found, String name) {
        return found.entries().stream()
                .filter(e -> e.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + name + " among " + found.entries()));
    }
}
