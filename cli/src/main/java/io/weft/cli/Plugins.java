package io.weft.cli;

import io.weft.api.TransferEngine;
import io.weft.config.Configuration;
import io.weft.config.ConfigurationSources;
import io.weft.config.OptionCatalogue;
import io.weft.config.ToolOptions;
import io.weft.discovery.Discovery;
import io.weft.spi.BackendProvider;
import io.weft.spi.DeviceMemoryProvider;
import io.weft.spi.OptionValues;
import java.io.IOException;
import java.lang.module.FindException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.lang.module.ResolutionException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where the command looks for backends: its own path, and each directory, or single jar, of the plug-in directory. A plug-in whose jars all
 * are modules becomes a {@link ModuleLayer} of its own, any other a class loader of its own; either sees the Java platform and
 * {@code io.weft.api}, and nothing else of Weft or of another plug-in.
 */
final class Plugins {
    private static final String API = "io.weft.api";
    /** What a plug-in's modules may read beside themselves and the Java platform. */
    private static final Set<String> SHARED = Set.of(API, "org.jspecify");

    private Plugins() {}

    /** The application's path and the plug-ins that the configuration names. */
    static Discovery discovery(ConfigurationSources sources) {
        Discovery discovery = Discovery.ofApplication();
        for (Path plugin : directories(sources)) {
            add(discovery, plugin);
        }
        return discovery;
    }

    private static List<Path> directories(ConfigurationSources sources) {
        OptionValues tool = Configuration.resolve(OptionCatalogue.of(List.of(ToolOptions.GROUP)), sources)
                .values(ToolOptions.GROUP);
        String configured = tool.string(ToolOptions.PLUGINS);
        String home = tool.string(ToolOptions.HOME);
        if (configured.isEmpty() && home.isEmpty()) {
            return List.of();
        }
        Path root = configured.isEmpty() ? Path.of(home, "plugins") : Path.of(configured);
        try (Stream<Path> entries = Files.list(root)) {
            return entries.filter(f -> Files.isDirectory(f) || isJar(f))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            // The distribution's own directory may be taken away; one that somebody named may not.
            return configured.isEmpty() ? List.of() : List.of(root);
        }
    }

    private static void add(Discovery discovery, Path plugin) {
        String name = "plugin " + plugin.getFileName();
        try {
            List<Path> jars = jars(plugin);
            if (jars.isEmpty()) {
                discovery.broken(plugin.toString(), name, "the directory " + plugin.toAbsolutePath() + " has no jar");
            } else if (TransferEngine.class.getModule().isNamed() && areModules(jars)) {
                discovery.in(layer(jars), name);
            } else {
                discovery.in(loader(jars), name);
            }
        } catch (IOException e) {
            discovery.broken(plugin.toString(), name, plugin.toAbsolutePath() + " cannot be read: " + words(e));
        } catch (FindException | ResolutionException | LayerInstantiationException e) {
            discovery.broken(plugin.toString(), name, "its modules do not fit together: " + words(e));
        }
    }

    /** With the cause, since "error reading x.jar" leaves open what is wrong with it. */
    private static String words(Exception e) {
        String text = switch (e) {
            case NotDirectoryException _ -> "it is no directory";
            case NoSuchFileException _ -> "it does not exist";
            default -> String.valueOf(e.getMessage());
        };
        return e.getCause() == null ? text : text + " (" + e.getCause().getMessage() + ")";
    }

    private static boolean isJar(Path file) {
        return file.toString().endsWith(".jar");
    }

    private static List<Path> jars(Path plugin) throws IOException {
        if (isJar(plugin) && !Files.isDirectory(plugin)) {
            return checked(List.of(plugin));
        }
        try (Stream<Path> files = Files.list(plugin)) {
            return checked(files.filter(Plugins::isJar).sorted().toList());
        }
    }

    private static List<Path> checked(List<Path> jars) throws IOException {
        for (Path jar : jars) {
            if (!Files.isRegularFile(jar)) {
                throw new IOException(jar.getFileName()
                        + (Files.exists(jar)
                                ? " is no file"
                                : Files.isSymbolicLink(jar) ? " is a broken link" : " does not exist"));
            }
        }
        return jars;
    }

    private static boolean areModules(List<Path> jars) {
        return ModuleFinder.of(jars.toArray(Path[]::new)).findAll().stream()
                .map(ModuleReference::descriptor)
                .noneMatch(ModuleDescriptor::isAutomatic);
    }

    /** Its own modules win over those of the command, which it may not read at all. */
    private static ModuleLayer layer(List<Path> jars) {
        ModuleFinder own =
                ModuleFinder.of(jars.stream().filter(jar -> !isShared(jar)).toArray(Path[]::new));
        Set<String> names =
                own.findAll().stream().map(m -> m.descriptor().name()).collect(Collectors.toSet());
        refuseForeignRequirements(own, names);
        ModuleLayer boot = ModuleLayer.boot();
        java.lang.module.Configuration resolved = boot.configuration().resolve(own, ModuleFinder.of(), names);
        ModuleLayer.Controller controller =
                ModuleLayer.defineModulesWithOneLoader(resolved, List.of(boot), ClassLoader.getPlatformClassLoader());
        allowNativeAccess(controller);
        return controller.layer();
    }

    /** A copy of what is shared would be another type of the same name, with which no provider could be found. */
    private static boolean isShared(Path jar) {
        return ModuleFinder.of(jar).findAll().stream()
                .anyMatch(m -> SHARED.contains(m.descriptor().name()));
    }

    /** Who puts a directory into the plug-ins lets its code run; fabrics need native code. */
    @SuppressWarnings("restricted") // the launcher grants it to this module so that it can be passed on
    private static void allowNativeAccess(ModuleLayer.Controller controller) {
        controller.layer().modules().forEach(controller::enableNativeAccess);
    }

    private static void refuseForeignRequirements(ModuleFinder own, Set<String> names) {
        for (ModuleReference module : own.findAll()) {
            for (ModuleDescriptor.Requires needed : module.descriptor().requires()) {
                boolean isPlatform = ModuleFinder.ofSystem().find(needed.name()).isPresent();
                boolean isOptional = needed.modifiers().contains(ModuleDescriptor.Requires.Modifier.STATIC);
                if (!isPlatform && !isOptional && !names.contains(needed.name()) && !SHARED.contains(needed.name())) {
                    throw new FindException("module " + module.descriptor().name() + " requires " + needed.name()
                            + ", which is not in its directory; only " + API + " is shared with a plug-in");
                }
            }
        }
    }

    /** Open for as long as the command runs, as the classes of a path are. */
    private static ClassLoader loader(List<Path> jars) throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        for (Path jar : jars) {
            urls.add(jar.toUri().toURL());
        }
        return new URLClassLoader(urls.toArray(URL[]::new), new ApiOnly());
    }

    /** Shows the Java platform, {@code io.weft.api} and JSpecify's annotations. */
    private static final class ApiOnly extends ClassLoader {
        private static final List<String> PACKAGES = List.of(
                TransferEngine.class.getPackageName() + ".",
                BackendProvider.class.getPackageName() + ".",
                "org.jspecify.annotations.");

        ApiOnly() {
            super("weft-api", ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (PACKAGES.stream().anyMatch(name::startsWith)) {
                return DeviceMemoryProvider.class.getClassLoader().loadClass(name);
            }
            throw new ClassNotFoundException(name);
        }
    }
}
