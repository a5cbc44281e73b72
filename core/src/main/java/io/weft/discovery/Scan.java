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
import org.jspecify.annotations.Nullable;

/** Lists the providers of a service without running their code. Thread-confined. */
final class Scan<P> {
    /** A loader that fails on every step must end too. */
    private static final int MOST_FAILURES = 1000;

    private final Class<P> service;
    private final String layer;
    private final List<Found<P>> found = new ArrayList<>();
    private final List<Throwable> errors = new ArrayList<>();

    private Scan(Class<P> service, String layer) {
        this.service = service;
        this.layer = layer;
    }

    static <P> List<Found<P>> classLoader(Class<P> service, ServiceLoader<P> services, ClassLoader loader) {
        Scan<P> scan = new Scan<>(service, "");
        scan.walk(services);
        scan.explainFromServiceFiles(loader);
        scan.reportRest("class path");
        return scan.found;
    }

    static <P> List<Found<P>> layer(Class<P> service, ServiceLoader<P> services, String layer) {
        Scan<P> scan = new Scan<>(service, layer);
        scan.walk(services);
        scan.reportRest(layer);
        return scan.found;
    }

    private void walk(ServiceLoader<P> services) {
        Iterator<ServiceLoader.Provider<P>> providers = services.stream().iterator();
        while (errors.size() < MOST_FAILURES) {
            try {
                if (!providers.hasNext()) {
                    return;
                }
                ServiceLoader.Provider<P> provider = providers.next();
                found.add(Found.loaded(provider.type(), layer, provider));
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
            String name = named.getKey();
            if (found.stream().noneMatch(f -> f.className().equals(name))) {
                Throwable why = load(name, loader);
                Source source = new Source(Source.location(named.getValue()), "class path");
                String text = why == null ? "is no " + service.getName() : Failures.describe(why);
                found.add(Found.failed(name, source, text));
                errors.removeIf(e -> isAbout(e, name, why));
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

    private void reportRest(String where) {
        for (Throwable error : errors) {
            found.add(Found.failed(service.getName(), new Source("unknown", where), Failures.describe(error)));
        }
    }
}
