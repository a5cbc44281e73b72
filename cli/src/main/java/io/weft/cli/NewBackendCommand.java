package io.weft.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes the module that a new backend starts from. */
@Command(
        name = "new-backend",
        description = "Write a module for a new backend: provider, options, capabilities, compatibility kit, CI file.")
final class NewBackendCommand extends WeftCommand {
    /** What the backend does at first. */
    enum Body {
        /** Compiles, declares nothing; the kit says what is to do. */
        EMPTY,
        /** Copies within the process and passes the kit: the reference backend, to be changed step by step. */
        MEMCPY
    }

    private static final String NAMES = "[a-z][a-z0-9-]{0,31}";
    private static final String PACKAGES = "[a-z_][a-z0-9_]*(\\.[a-z_][a-z0-9_]*)*";

    @Parameters(paramLabel = "NAME", description = "The backend's name: lower case letters, digits and dashes.")
    @Nullable
    String name;

    @Option(
            names = "--body",
            paramLabel = "BODY",
            description = "empty, or memcpy, which passes the kit.",
            defaultValue = "empty")
    Body body = Body.EMPTY;

    @Option(names = "--package", paramLabel = "PACKAGE", description = "Java package, com.example.NAME if not given.")
    @Nullable
    String packageName;

    @Option(names = "--directory", paramLabel = "DIR", description = "New directory, weft-backend-NAME if not given.")
    @Nullable
    Path directory;

    @Override
    public Integer call() {
        String given = Objects.requireNonNull(name, "picocli sets the parameter");
        if (!given.matches(NAMES)) {
            throw badUsage(
                    "'" + given + "' cannot be a backend's name: it takes a lower case letter, then at most 31 lower"
                            + " case letters, digits and dashes");
        }
        String in = packageName == null ? "com.example." + given.replace("-", "") : packageName;
        if (!in.matches(PACKAGES)) {
            throw badUsage("--package " + in + ": no package name in lower case");
        }
        Path to = directory == null ? Path.of("weft-backend-" + given) : directory;
        try {
            if (Files.exists(to) && !isEmpty(to)) {
                throw badUsage(to + " is there and not empty; name another one with --directory");
            }
            for (Map.Entry<Path, String> file : files(given, in).entrySet()) {
                Path path = to.resolve(file.getKey());
                Files.createDirectories(Objects.requireNonNull(path.getParent(), "every file is in the directory"));
                Files.writeString(path, file.getValue());
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("the module could not be written to " + to, failed);
        }
        out().println("Wrote backend " + given + " to " + to + ". Next: cd " + to + " && mvn verify");
        out().println("The kit's report will be " + to.resolve("target/tck/index.html")
                + "; the order of work is in docs/backend-guide.md.");
        return OK;
    }

    private static boolean isEmpty(Path directory) throws IOException {
        try (Stream<Path> inside = Files.list(directory)) {
            return inside.findAny().isEmpty();
        }
    }

    private Map<Path, String> files(String backend, String in) {
        String prefix = Arrays.stream(backend.split("-"))
                .filter(part -> !part.isEmpty())
                .map(part -> part.substring(0, 1).toUpperCase(Locale.ROOT) + part.substring(1))
                .collect(Collectors.joining());
        Path main = Path.of("src", "main", "java");
        Path code = main.resolve(in.replace('.', '/'));
        Path test = Path.of("src", "test", "java").resolve(in.replace('.', '/'));
        Map<Path, String> templates = new LinkedHashMap<>();
        templates.put(Path.of("pom.xml"), template("pom.xml.txt"));
        templates.put(Path.of("README.md"), template("README.md.txt"));
        templates.put(Path.of(".github", "workflows", "build.yml"), template("ci.yml.txt"));
        templates.put(main.resolve("module-info.java"), template("module-info.java.txt"));
        templates.put(
                Path.of("src", "main", "resources", "META-INF", "services", "io.weft.spi.BackendProvider"),
                "@PACKAGE@.@PREFIX@Provider\n");
        templates.put(code.resolve(prefix + "Provider.java"), template("Provider.java.txt"));
        if (body == Body.EMPTY) {
            templates.put(code.resolve(prefix + "Backend.java"), template("Backend.java.txt"));
        } else {
            templates.put(code.resolve(prefix + "Backend.java"), reference("MemBackend.java"));
            templates.put(code.resolve(prefix + "Link.java"), reference("MemLink.java"));
        }
        templates.put(test.resolve(prefix + "KitTest.java"), template("KitTest.java.txt"));
        templates.replaceAll((path, text) -> text.replace("@PACKAGE@", in)
                .replace("@PREFIX@", prefix)
                .replace("@NAME@", backend)
                .replace("@VERSION@", Main.Version.version()));
        return templates;
    }

    /** The reference backend's own source, as a template. */
    private static String reference(String file) {
        return template(file)
                .replace("package io.weft.testkit.mem;", "package @PACKAGE@;")
                .replaceAll("\\bMem(Backend|Link)\\b", "@PREFIX@$1")
                .replace("\"mem: ", "\"@NAME@: ")
                .replace(
                        "Limits.NONE.withOperationBytes(4 << 20)",
                        "Limits.NONE.withOperationsInFlight((int) context.options().integer(@PREFIX@Provider.IN_FLIGHT))\n"
                                + "                .withOperationBytes(4 << 20)");
    }

    private static String template(String file) {
        try (InputStream in = NewBackendCommand.class.getResourceAsStream("newbackend/" + file)) {
            return new String(
                    Objects.requireNonNull(in, "template " + file + " is missing in the command's jar")
                            .readAllBytes(),
                    StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
