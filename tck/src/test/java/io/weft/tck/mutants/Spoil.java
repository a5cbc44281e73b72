package io.weft.tck.mutants;

import io.weft.api.ErrorCode;
import io.weft.api.Region;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.spi.Backend;
import io.weft.spi.BackendContext;
import io.weft.spi.BackendProvider;
import io.weft.spi.Link;
import io.weft.spi.LinkEvents;
import io.weft.spi.Operation;
import io.weft.spi.Peer;
import io.weft.tck.harness.EngineSpec;
import io.weft.testkit.ForwardingBackend;
import io.weft.testkit.ForwardingLink;
import io.weft.testkit.ForwardingProvider;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/** Ways to put a defect around something sound. */
final class Spoil {
    private Spoil() {}

    /** What happens instead of a call. */
    @FunctionalInterface
    interface Around<T> {
        Object call(T sound, Method method, Object[] arguments) throws Throwable;
    }

    private record Handler<T>(T sound, Around<T> around) implements InvocationHandler {
        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            Object[] bare = arguments == null ? new Object[0] : arguments.clone();
            for (int i = 0; i < bare.length; i++) {
                bare[i] = bare[i] instanceof List<?> list
                        ? list.stream().map(Spoil::bare).toList()
                        : bare(bare[i]);
            }
            return around.call(sound, method, bare);
        }
    }

    static <T> T around(Class<T> type, T sound, Around<T> around) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, new Handler<>(sound, around)));
    }

    private static Object bare(Object maybeSpoiled) {
        return maybeSpoiled != null
                        && Proxy.isProxyClass(maybeSpoiled.getClass())
                        && Proxy.getInvocationHandler(maybeSpoiled) instanceof Handler<?> handler
                ? handler.sound
                : maybeSpoiled;
    }

    static Object go(Object sound, Method method, Object... arguments) throws Throwable {
        try {
            return method.invoke(sound, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    /** What happens instead of a post. */
    @FunctionalInterface
    interface Post {
        int post(BackendContext context, Link sound, Operation operation);
    }

    static BackendProvider posts(BackendProvider sound, Post post, Runnable onFence) {
        return backends(sound, (context, backend) -> new ForwardingBackend(backend) {
            @Override
            public Link connect(Peer peer, LinkEvents events, long deadlineNanos) {
                Link link = super.connect(peer, events, deadlineNanos);
                return new ForwardingLink(link) {
                    @Override
                    public int post(Operation operation) {
                        return post.post(context, link, operation);
                    }

                    @Override
                    public boolean fence(long deadline) {
                        onFence.run();
                        return super.fence(deadline);
                    }
                };
            }
        });
    }

    static BackendProvider backends(BackendProvider sound, UnaryOperator<Backend> spoil) {
        return backends(sound, (context, backend) -> spoil.apply(backend));
    }

    private static BackendProvider backends(BackendProvider sound, BiFunction<BackendContext, Backend, Backend> spoil) {
        return new ForwardingProvider(sound) {
            @Override
            public Backend open(BackendContext context) {
                return spoil.apply(context, super.open(context));
            }
        };
    }

    static Around<TransferEngine> transfers(Around<Transfer> around) {
        return (sound, method, args) -> {
            Object result = go(sound, method, args);
            return result instanceof Transfer t ? around(Transfer.class, t, around) : result;
        };
    }

    /** Transfers that call one error another. */
    static Around<TransferEngine> codes(ErrorCode right, ErrorCode wrong) {
        return transfers((t, method, args) -> method.getName().equals("code")
                        && t.code().filter(c -> c == right).isPresent()
                ? Optional.of(wrong)
                : go(t, method, args));
    }

    /** Engines that do not heed an option. */
    static UnaryOperator<EngineSpec> without(String key) {
        return spec -> {
            LinkedHashMap<String, String> fewer = new LinkedHashMap<>(spec.options());
            fewer.remove(key);
            return new EngineSpec(spec.name(), fewer, spec.checked());
        };
    }

    static Around<TransferEngine> regions(Around<Region> around) {
        return (sound, method, args) -> {
            Object result = go(sound, method, args);
            return result instanceof Region region ? around(Region.class, region, around) : result;
        };
    }
}
