package io.weft.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the module descriptors say, held against the table of the design and against META-INF/services. */
@Timeout(60)
class ModulesTest {

    /** Beside the JDK and JSpecify, for the modules in which this matters to others. */
    private static final Map<String, Set<String>> ALLOWED = Map.of(
            "io.weft.api", Set.of(),
            "io.weft.ffi", Set.of("io.weft.api"),
            "io.weft.testkit", Set.of("io.weft.api"),
            "io.weft.backend.tcp", Set.of("io.weft.api"),
            "io.weft.backend.rdma", Set.of("io.weft.api", "io.weft.ffi", "msgpack.core"),
            "io.weft.backend.libfabric", Set.of("io.weft.api", "io.weft.ffi"));

    private record Found(URI descriptor, ModuleDescriptor module) {
        @Override
        public String toString() {
            return module.name();
        }
    }

    @Test
    void allModulesAreSeen() {
        assertThat(modules().map(Found::toString))
                .containsAll(ALLOWED.keySet())
                .contains("io.weft.core", "io.weft.tck", "io.weft.cli");
    }

    @ParameterizedTest
    @MethodSource("modules")
    void requiresOnlyWhatTheDesignAllows(Found found) {
        Set<String> required = found.module().requires().stream()
                .map(Requires::name)
                .filter(name -> !name.startsWith("java.") && !name.equals("org.jspecify"))
                .collect(Collectors.toCollection(HashSet::new));
        assertThat(required).doesNotContain("jdk.unsupported");
        if (ALLOWED.containsKey(found.module().name())) {
            assertThat(ALLOWED.get(found.module().name())).containsAll(required);
        }
    }

    /** The class path reads one, the module path the other; a provider that is in one alone is missing somewhere. */
    @ParameterizedTest
    @MethodSource("modules")
    void providesAndServiceFilesAgree(Found found) throws IOException {
        Map<String, List<String>> provided = found.module().provides().stream()
                .collect(Collectors.toMap(
                        ModuleDescriptor.Provides::service,
                        provides -> provides.providers().stream().sorted().toList()));
        Set<String> services = new HashSet<>(provided.keySet());
        services.addAll(usedServices());
        for (String service : services) {
            assertThat(serviceFile(found, service))
                    .as("META-INF/services/%s of %s", service, found)
                    .isEqualTo(provided.getOrDefault(service, List.of()));
        }
    }

    static Stream<Found> modules() {
        try {
            return Collections.list(ModulesTest.class.getClassLoader().getResources("module-info.class")).stream()
                    .map(ModulesTest::read)
                    .filter(found -> found.module().name().startsWith("io.weft."));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Found read(URL url) {
        try (InputStream in = url.openStream()) {
            return new Found(URI.create(url.toString()), ModuleDescriptor.read(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The services that any of the modules looks up, so that a stray file is found as well as a missing one. */
    private static Set<String> usedServices() {
        return modules().flatMap(found -> found.module().uses().stream()).collect(Collectors.toSet());
    }

    private static List<String> serviceFile(Found found, String service) throws IOException {
        // The binary name of a nested service has a $ in it.
        String place = found.descriptor()
                .toString()
                .replaceFirst("module-info[.]class$", Matcher.quoteReplacement("META-INF/services/" + service));
        for (URL url :
                Collections.list(ModulesTest.class.getClassLoader().getResources("META-INF/services/" + service))) {
            if (url.toString().equals(place)) {
                try (BufferedReader reader =
                        new BufferedReader(new InputStreamReader(url.openStream(), StandardCharsets.UTF_8))) {
                    return reader.lines()
                            .map(line -> line.replaceFirst("#.*", "").strip())
                            .filter(line -> !line.isEmpty())
                            .sorted()
                            .toList();
                }
            }
        }
        return List.of();
    }
}
