package io.weft.guice;

import com.google.inject.AbstractModule;
import com.google.inject.Binder;
import com.google.inject.Key;
import com.google.inject.Provider;
import com.google.inject.Scopes;
import com.google.inject.TypeLiteral;
import com.google.inject.multibindings.MapBinder;
import com.google.inject.multibindings.Multibinder;
import com.google.inject.multibindings.OptionalBinder;
import io.weft.api.TransferEngine;
import io.weft.config.ConfigurationSources;
import io.weft.config.OptionGroup;
import io.weft.discovery.Discovery;
import io.weft.engine.Weft;
import io.weft.spi.BackendProvider;
import io.weft.spi.EngineClock;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * Binds {@link TransferEngine} as a singleton, opened when it is first asked for and closed by the application.
 *
 * <p>What may be bound beside it, each standing for the method of {@link Weft.Builder} of the same meaning:
 * {@link #options}, {@link #providers} and {@link #components}, which add up; {@link ConfigurationSources},
 * {@link Discovery}, {@link EngineClock} and an {@link Executor} marked {@link WeftCallbacks}, each once:
 *
 * {@snippet :
 * Injector injector = Guice.createInjector(new WeftModule(), binder -> {
 *     WeftModule.options(binder).addBinding("weft.name").toInstance("prefill-1");
 *     binder.bind(Discovery.class).toInstance(Discovery.ofApplication());
 * });
 * }
 *
 * <p>Guice itself touches {@code sun.misc.Unsafe} at start; {@code -Dguice_custom_class_loading=CHILD} stops it.
 */
// Who calls this has Guice; requiring it transitively would make everybody else need it to compile.
@SuppressWarnings("exports")
public final class WeftModule extends AbstractModule {
    /** Makes the module. */
    public WeftModule() {}

    /**
     * Values of options, which come before every other source.
     *
     * @param binder the binder of the module that sets them
     * @return takes values by whole key
     */
    public static MapBinder<String, String> options(Binder binder) {
        return MapBinder.newMapBinder(binder, String.class, String.class, WeftOption.class);
    }

    /**
     * Providers to use. As soon as one is bound and no {@link Discovery} is, none is looked for.
     *
     * @param binder the binder of the module that adds them
     * @return takes providers
     */
    public static Multibinder<BackendProvider> providers(Binder binder) {
        return Multibinder.newSetBinder(binder, BackendProvider.class);
    }

    /**
     * Options of components beside the engine.
     *
     * @param binder the binder of the module that adds them
     * @return takes groups
     */
    public static Multibinder<OptionGroup> components(Binder binder) {
        return Multibinder.newSetBinder(binder, OptionGroup.class);
    }

    @Override
    protected void configure() {
        options(binder());
        providers(binder());
        components(binder());
        Provider<Map<String, String>> options =
                getProvider(Key.get(new TypeLiteral<Map<String, String>>() {}, WeftOption.class));
        Provider<Set<BackendProvider>> providers = getProvider(Key.get(new TypeLiteral<Set<BackendProvider>>() {}));
        Provider<Set<OptionGroup>> components = getProvider(Key.get(new TypeLiteral<Set<OptionGroup>>() {}));
        Provider<Optional<ConfigurationSources>> sources =
                optional(Key.get(ConfigurationSources.class), new TypeLiteral<>() {});
        Provider<Optional<Discovery>> discovery = optional(Key.get(Discovery.class), new TypeLiteral<>() {});
        Provider<Optional<EngineClock>> clock = optional(Key.get(EngineClock.class), new TypeLiteral<>() {});
        Provider<Optional<Executor>> callbacks =
                optional(Key.get(Executor.class, WeftCallbacks.class), new TypeLiteral<>() {});
        bind(TransferEngine.class)
                .toProvider(() -> {
                    Weft.Builder builder = Weft.builder();
                    options.get().forEach(builder::option);
                    providers.get().forEach(builder::provider);
                    components.get().forEach(builder::component);
                    sources.get().ifPresent(builder::configuration);
                    discovery.get().ifPresent(builder::discovery);
                    clock.get().ifPresent(builder::clock);
                    callbacks.get().ifPresent(builder::executor);
                    return builder.open();
                })
                .in(Scopes.SINGLETON);
    }

    /** No bindings by reflection, so that the module needs no opening to Guice. */
    private <T> Provider<Optional<T>> optional(Key<T> key, TypeLiteral<Optional<T>> type) {
        OptionalBinder.newOptionalBinder(binder(), key);
        return getProvider(key.ofType(type));
    }
}
