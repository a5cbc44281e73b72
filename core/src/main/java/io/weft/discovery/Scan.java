package io.weft.discovery;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Lists the providers of a service without running their code. Thread-confined. */
final class Scan<P> {
    /** A loader that fails on every step must end too. */
    private static final int MOST_FAILURES = 1000;

    private final Class<P> service;
    private final String name;
    private final List<Found<P>> found = new ArrayList<>();
    private final List<Throwable> errors = new ArrayList<>();

    private Scan(Class<P> service, String name) {
        this.service = service;
        this.name = name;
    }

    static <P> List<Found<P>> classLoader(
            Class<P> service, ServiceLoader<P> services, ClassLoader loader, String name) {
        Scan<P> scan = new Scan<>(service, name);
        scan.walk(services, type -> true);
        scan.explainFromServiceFiles(loader);
        scan.reportRest();
        return scan.found;
    }

    /** A layer's service loader also tells the providers of its parents, which are somebody else's. */
    static <P> List<Found<P>> layer(Class<P> service, ServiceLoader<P> services, ModuleLayer layer, String name) {
        Scan<P> scan = new Scan<>(service, name);
        scan.walk(services, type -> type.getModule().getLayer() == layer);
        scan.reportRest();
        return scan.found;
    }

    private void walk(ServiceLoader<P> services, Predicate<Class<?>> isHere) {
        Iterator<ServiceLoader.Provider<P>> providers = services.stream().iterator();
        while (errors.size() < MOST_FAILURES) {
            try {
                if (!providers.hasNext()) {
                    return;
                }
                ServiceLoader.Provider<P> provider = providers.next();
                if (isHere.test(provider.type())) {
                    found.add(Found.loaded(provider.type(), name, provider));
                }
            } catch (ServiceConfigurationError | LinkageError e) {
                errors.add(e); // the loader goes on with the next one
            }
        }
    }

    /**
     * ServiceLoader's own errors do not say which jar named the class, or, for a class that does not link, which class it
     * was. The service files do.
     */
    private void explainFromServiceFiles(ClassLoader loader) {
        if (errors.isEmpty()) {
            return;
        }
        for (Map.Entry<String, URL> named : namedClasses(loader).entrySet()) {
            String className = named.getKey();
            if (found.stream().noneMatch(f -> f.className().equals(className))) {
                Throwable why = load(className, loader);
                Source source = new Source(Source.location(named.getValue()), place());
                String text = why == null ? "is no " + service.getName() : Failures.describe(why);
                found.add(Found.failed(className, source, text));
                errors.removeIf(e -> isAbout(e, className, why));
            }
        }
    }

    private static boolean isAbout(Throwable error, String name, @Nullable Throwable why) {
        String message = String.valueOf(error.getMessage());
        return message.contains(name) || (why != null && message.equals(String.valueOf(why.getMessage())));
    }

    private static @Nullable Throwable load(String name, ClassLoader loader) {
        try {
            Class.forName(name, false, loader);
            return null;
        } catch (ClassNotFoundException | LinkageError e) {
            return e;
        }
    }

    private Map<String, URL> namedClasses(ClassLoader loader) {
        Map<String, URL> classes = new LinkedHashMap<>();
        try {
            for (URL file :
                    loader.resources("META-INF/services/" + service.getName()).toList()) {
                for (String name : names(file)) {
                    classes.putIfAbsent(name, file);
                }
            }
        } catch (IOException | UncheckedIOException e) {
            errors.add(e);
        }
        return classes;
    }

    private static List<String> names(URL file) throws IOException {
        URLConnection connection = file.openConnection();
        connection.setUseCaches(false); // a cached jar could not be replaced while the process lives
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
            return lines.lines()
                    .map(line -> line.replaceFirst("#.*", "").trim())
                    .filter(line -> !line.isEmpty())
                    .toList();
        }
    }

    private void reportRest() {
        for (Throwable error : errors) {
            found.add(Found.failed(service.getName(), new Source("unknown", place()), Failures.describe(error)));
        }
    }

    private String place() {
        return name.isEmpty() ? "class path" : name;
    }
}
