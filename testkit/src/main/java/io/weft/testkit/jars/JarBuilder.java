package io.weft.testkit.jars;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Compiles source text and packs it with service files into a jar. Sources see the class path of the running test and, for
 * modules, the jars named by {@link #modulePath}.
 *
 * <p>Thread-confined.
 */
public final class JarBuilder {
    private final Map<String, String> sources = new LinkedHashMap<>();
    private final Map<String, List<String>> services = new LinkedHashMap<>();
    private final List<String> left = new ArrayList<>();
    private final List<Path> modules = new ArrayList<>();

    /** Starts an empty jar. */
    public JarBuilder() {}

    /**
     * Adds a class or a {@code module-info}.
     *
     * @param name its binary name
     * @param text the whole source file
     * @return this
     */
    public JarBuilder source(String name, String text) {
        sources.put(name, text);
        return this;
    }

    /**
     * Names a provider in {@code META-INF/services}; the class need not exist.
     *
     * @param service the service's class name
     * @param provider the provider's class name
     * @return this
     */
    public JarBuilder service(String service, String provider) {
        services.computeIfAbsent(service, s -> new ArrayList<>()).add(provider);
        return this;
    }

    /**
     * Compiles a class but leaves it out of the jar, so that what needs it does not link.
     *
     * @param name its binary name
     * @return this
     */
    public JarBuilder leaveOut(String name) {
        left.add(name.replace('.', '/') + ".class");
        return this;
    }

    /**
     * Compiles as a module against these jars instead of the class path.
     *
     * @param jars modules
     * @return this
     */
    public JarBuilder modulePath(List<Path> jars) {
        modules.addAll(jars);
        return this;
    }

    /**
     * Compiles and packs.
     *
     * @param jar the file to write
     * @return the file
     * @throws IOException if it cannot be written
     * @throws IllegalArgumentException if the sources do not compile; the text holds the compiler's words
     */
    public Path build(Path jar) throws IOException {
        Path classes = Files.createTempDirectory("weft-jar");
        try {
            if (!sources.isEmpty()) {
                compile(classes);
            }
            try (OutputStream file = Files.newOutputStream(jar);
                    JarOutputStream out = new JarOutputStream(file)) {
                for (Map.Entry<String, List<String>> service : services.entrySet()) {
                    String text = String.join("\n", service.getValue()) + "\n";
                    add(out, "META-INF/services/" + service.getKey(), text.getBytes(StandardCharsets.UTF_8));
                }
                for (Path classFile : files(classes)) {
                    String name = classes.relativize(classFile).toString().replace('\\', '/');
                    if (!left.contains(name)) {
                        add(out, name, Files.readAllBytes(classFile));
                    }
                }
            }
        } finally {
            for (Path path : walk(classes).reversed()) {
                Files.delete(path);
            }
        }
        return jar;
    }

    private void compile(Path classes) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new IllegalStateException("this Java has no compiler; run the tests on a JDK");
        }
        List<String> options = new ArrayList<>(List.of("-d", classes.toString(), "-proc:none"));
        if (modules.isEmpty()) {
            options.addAll(List.of("-classpath", System.getProperty("java.class.path")));
        } else {
            String path = String.join(
                    System.getProperty("path.separator"),
                    modules.stream().map(Path::toString).toList());
            options.addAll(List.of("--module-path", path));
        }
        StringWriter words = new StringWriter();
        boolean compiled = compiler.getTask(
                        words,
                        null,
                        null,
                        options,
                        null,
                        sources.entrySet().stream()
                                .map(s -> new Source(s.getKey(), s.getValue()))
                                .toList())
                .call();
        if (!compiled) {
            throw new IllegalArgumentException("sources do not compile:\n" + words);
        }
    }

    private static List<Path> files(Path directory) throws IOException {
        return walk(directory).stream().filter(Files::isRegularFile).toList();
    }

    /** Parents before children. */
    private static List<Path> walk(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.sorted().toList();
        }
    }

    private static void add(JarOutputStream out, String name, byte[] bytes) throws IOException {
        out.putNextEntry(new JarEntry(name));
        out.write(bytes);
        out.closeEntry();
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String name, String text) {
            super(URI.create("string:///" + name.replace('.', '/') + ".java"), JavaFileObject.Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
