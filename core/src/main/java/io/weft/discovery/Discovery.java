package io.weft.discovery;

import io.weft.spi.BackendProvider;
import io.weft.spi.DeviceMemoryProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.Set;

/**
 * Finds backends and device memory. By default on the paths of the running application; class loaders, module layers and ready providers can be
 * added.
 *
 * <p>Thread-confined; {@link #backends} and {@link #deviceMemories} may be called more than once.
 */
public final class Discovery {
    private final Map<ClassLoader, String> loaders = new LinkedHashMap<>();
    private final Map<ModuleLayer, String> layers = new LinkedHashMap<>();
    private final List<Found<BackendProvider>> broken = new ArrayList<>();
    private final List<BackendProvider> backends = new ArrayList<>();
    private final List<DeviceMemoryProvider> deviceMemories = new ArrayList<>();
    private Set<String> allow = Set.of();
    private Set<String> deny = Set.of();
    private Duration timeout = Duration.ofSeconds(15);

    private Discovery() {}

    /**
     * Looks nowhere yet.
     *
     * @return an empty discovery, for programs that name their providers
     */
    public static Discovery empty() {
        return new Discovery();
    }

    /**
     * Looks where the application is: the context class loader, and the module layer Weft itself is in.
     *
     * @return a discovery with the application's paths
     */
    public static Discovery ofApplication() {
        Discovery discovery = new Discovery();
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        ClassLoader own = Discovery.class.getClassLoader();
        discovery.in(context == null ? own : context);
        ModuleLayer layer = Discovery.class.getModule().getLayer();
        if (layer != null && layer != ModuleLayer.boot()) {
            discovery.in(layer, "");
        }
        return discovery;
    }

    /**
     * Also looks in a class loader, and in the modules it sees.
     *
     * @param loader the loader
     * @return this
     */
    public Discovery in(ClassLoader loader) {
        return in(loader, "");
    }

    /**
     * Also looks in a class loader that has a name. If there is no provider, that is reported.
     *
     * @param loader the loader
     * @param name how the loader is called in reports, such as {@code plugin acme}; empty for none
     * @return this
     */
    public Discovery in(ClassLoader loader, String name) {
        loaders.put(Objects.requireNonNull(loader, "loader"), Objects.requireNonNull(name, "name"));
        return this;
    }

    /**
     * Also looks in a module layer, not in its parents. If it has a name and no provider, that is reported.
     *
     * @param layer the layer
     * @param name how the layer is called in reports, such as {@code plugin acme}; empty for the module's name
     * @return this
     */
    public Discovery in(ModuleLayer layer, String name) {
        layers.put(Objects.requireNonNull(layer, "layer"), Objects.requireNonNull(name, "name"));
        return this;
    }

    /**
     * Reports a place that could not be looked into, among the backends.
     *
     * @param location the directory or jar
     * @param name how the place is called in reports
     * @param why what is wrong with it and what to do
     * @return this
     */
    public Discovery broken(String location, String name, String why) {
        broken.add(Found.failed(name, new Source(location, name), why));
        return this;
    }

    /**
     * Takes a provider as it is. It replaces a found one of the same name.
     *
     * @param provider the provider
     * @return this
     */
    public Discovery with(BackendProvider provider) {
        backends.add(Objects.requireNonNull(provider, "provider"));
        return this;
    }

    /**
     * Takes a provider of device memory as it is. It replaces a found one of the same kind.
     *
     * @param provider the provider
     * @return this
     */
    public Discovery with(DeviceMemoryProvider provider) {
        deviceMemories.add(Objects.requireNonNull(provider, "provider"));
        return this;
    }

    /**
     * Only these backends may be used.
     *
     * @param names backend names; empty means all
     * @return this
     */
    public Discovery allow(Collection<String> names) {
        allow = Set.copyOf(names);
        return this;
    }

    /**
     * These may not, also when they are allowed.
     *
     * @param names backend names or provider class names; a provider denied by its class is not even constructed
     * @return this
     */
    public Discovery deny(Collection<String> names) {
        deny = Set.copyOf(names);
        return this;
    }

    /**
     * How long constructing the providers may take, all together.
     *
     * @param limit the limit, 5 s by default
     * @return this
     */
    public Discovery timeout(Duration limit) {
        timeout = Objects.requireNonNull(limit, "limit");
        return this;
    }

    /**
     * Finds and constructs the backends' providers; probes nothing. Bounded by the timeout.
     *
     * @return what there is, broken ones included
     */
    public BackendCatalogue backends() {
        List<Found<BackendProvider>> found = new ArrayList<>(find(BackendProvider.class, backends));
        found.addAll(broken);
        found.addAll(emptyPlaces(found));
        return new BackendCatalogue(new BackendLoading(allow, deny, timeout).load(found));
    }

    private List<Found<BackendProvider>> emptyPlaces(List<Found<BackendProvider>> found) {
        Set<String> names = new LinkedHashSet<>(layers.values());
        names.addAll(loaders.values());
        names.remove("");
        found.forEach(f -> names.remove(f.source().layer()));
        if (!names.isEmpty()) {
            find(DeviceMemoryProvider.class, List.of())
                    .forEach(f -> names.remove(f.source().layer()));
        }
        return names.stream()
                .map(name -> Found.<BackendProvider>failed(
                        name,
                        new Source("-", name),
                        "no provider is in it: module-info needs 'provides " + BackendProvider.class.getName()
                                + " with', or a jar that is no module META-INF/services/"
                                + BackendProvider.class.getName()))
                .toList();
    }

    /**
     * Finds and constructs the providers of device memory; probes nothing. Bounded by the timeout.
     *
     * @return what there is, broken ones included
     */
    public DeviceMemoryCatalogue deviceMemories() {
        return new DeviceMemoryCatalogue(
                new DeviceMemoryLoading(deny, timeout).load(find(DeviceMemoryProvider.class, deviceMemories)));
    }

    private <P> List<Found<P>> find(Class<P> service, List<P> given) {
        List<Found<P>> all = new ArrayList<>();
        for (P provider : given) {
            all.add(Found.loaded(provider.getClass(), Source.APPLICATION, () -> provider));
        }
        layers.forEach(
                (layer, name) -> all.addAll(Scan.layer(service, ServiceLoader.load(layer, service), layer, name)));
        loaders.forEach((loader, name) ->
                all.addAll(Scan.classLoader(service, ServiceLoader.load(service, loader), loader, name)));
        return withoutRepeats(all);
    }

    /** Loaders and layers overlap; one class is one provider, however often it is seen. */
    private static <P> List<Found<P>> withoutRepeats(List<Found<P>> all) {
        Map<Object, Found<P>> distinct = new LinkedHashMap<>();
        for (Found<P> found : all) {
            Object identity =
                    found.isGiven() ? found : found.type() != null ? found.type() : found.source() + found.className();
            distinct.putIfAbsent(identity, found);
        }
        return List.copyOf(distinct.values());
    }
}
