package io.weft.guice;

import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Module;
import com.google.inject.ProvisionException;
import io.weft.api.TransferEngine;
import io.weft.config.ConfigurationSources;
import io.weft.discovery.Discovery;
import io.weft.engine.EmbeddingContract;
import io.weft.spi.EngineClock;
import java.util.concurrent.Executor;

/** The contract by {@link WeftModule}. */
class GuiceEmbeddingTest extends EmbeddingContract {
    @Override
    protected TransferEngine open(Replacements replacements) {
        Module mine = binder -> {
            binder.bind(ConfigurationSources.class).toInstance(replacements.sources());
            replacements
                    .options()
                    .forEach((key, value) ->
                            WeftModule.options(binder).addBinding(key).toInstance(value));
            replacements
                    .providers()
                    .forEach(p -> WeftModule.providers(binder).addBinding().toInstance(p));
            replacements
                    .components()
                    .forEach(c -> WeftModule.components(binder).addBinding().toInstance(c));
            if (replacements.discovery() != null) {
                binder.bind(Discovery.class).toInstance(replacements.discovery());
            }
            if (replacements.clock() != null) {
                binder.bind(EngineClock.class).toInstance(replacements.clock());
            }
            if (replacements.callbacks() != null) {
                binder.bind(Executor.class).annotatedWith(WeftCallbacks.class).toInstance(replacements.callbacks());
            }
        };
        Injector injector = Guice.createInjector(new WeftModule(), mine);
        try {
            return injector.getInstance(TransferEngine.class);
        } catch (ProvisionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause; // what the builder throws; Guice wraps it
            }
            throw e;
        }
    }
}
