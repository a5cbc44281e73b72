package io.weft.tck.harness;

import io.weft.tck.TckConfig;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContext;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContextProvider;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Runs a class of rules once for each backend that the configuration names. */
public final class BackendExtension implements ClassTemplateInvocationContextProvider {
    /** Made by JUnit. */
    public BackendExtension() {}

    @Override
    public boolean supportsClassTemplate(ExtensionContext context) {
        return true;
    }

    @Override
    public Stream<? extends ClassTemplateInvocationContext> provideClassTemplateInvocationContexts(
            ExtensionContext context) {
        String names = context.getConfigurationParameter(TckConfig.BACKEND).orElse("mem");
        return Arrays.stream(names.split(",")).map(String::trim).map(Backend::new);
    }

    private record Backend(String name) implements ClassTemplateInvocationContext {
        @Override
        public String getDisplayName(int index) {
            return "backend " + name;
        }

        @Override
        public void prepareInvocation(ExtensionContext context) {
            context.getStore(Runs.NAMESPACE).put(TckConfig.BACKEND, name);
        }
    }

    static Optional<String> backend(ExtensionContext context) {
        return Optional.ofNullable(context.getStore(Runs.NAMESPACE).get(TckConfig.BACKEND, String.class));
    }
}
