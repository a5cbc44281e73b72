package io.weft.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.spi.Backend;
import io.weft.spi.BackendContext;
import io.weft.spi.Link;
import io.weft.spi.LinkEvents;
import io.weft.spi.LocalMemory;
import io.weft.spi.Operation;
import io.weft.spi.OperationKind;
import io.weft.spi.Peer;
import io.weft.spi.RemoteMemory;
import io.weft.testkit.lone.LoneContext;
import io.weft.testkit.lone.LoneMemory;
import io.weft.testkit.lone.RecordedLink;
import io.weft.testkit.mem.MemProvider;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(20)
class AssertingProviderTest {
    /** A pair of contexts over a provider, with one region on each side. */
    private static final class Rig implements AutoCloseable {
        final AssertingProvider provider;
        final Arena arena = Arena.ofShared();
        final LoneContext left;
        final LoneContext right;
        final LocalMemory local;
        final RemoteMemory remote;
        final Link link;

        Rig(AssertingProvider provider) {
            this.provider = provider;
            LoneContext.Neighbourhood neighbourhood = new LoneContext.Neighbourhood();
            left = LoneContext.open(neighbourhood, "left", provider, Map.of());
            right = LoneContext.open(neighbourhood, "right", provider, Map.of());
            local = left.backend().register(new LoneMemory(1, arena.allocate(64)));
            LoneMemory exported = new LoneMemory(2, arena.allocate(64));
            LocalMemory handle = right.backend().register(exported);
            byte[] key = right.backend().exportKey(right.peer(left), handle);
            remote = left.backend().importKey(left.peer(right), exported.descriptor("right"), key);
            link = left.backend().connect(left.peer(right), new RecordedLink(), soon());
        }

        void post(OperationKind kind, long[]... segments) {
            link.post(new CopiedOperation(7, kind, local, remote, segments));
        }

        @Override
        public void close() {
            left.backend().close();
            right.backend().close();
            arena.close();
        }
    }

    private static long soon() {
        return System.nanoTime() + Duration.ofSeconds(5).toNanos();
    }

    private static Arguments core(String expected, Consumer<Rig> breach) {
        return Arguments.of(expected, breach);
    }

    static Stream<Arguments> breachesOfCore() {
        return Stream.of(
                core("not sorted", rig -> rig.post(OperationKind.WRITE, new long[] {0, 9, 1}, new long[] {1, 2, 1})),
                core(
                        "overlap at the destination",
                        rig -> rig.post(OperationKind.WRITE, new long[] {0, 0, 4}, new long[] {8, 2, 4})),
                core(
                        "overlap at the local destination",
                        rig -> rig.post(OperationKind.READ, new long[] {0, 0, 4}, new long[] {2, 8, 4})),
                core("not merged", rig -> rig.post(OperationKind.WRITE, new long[] {0, 0, 4}, new long[] {4, 4, 4})),
                core("has 0 bytes", rig -> rig.post(OperationKind.WRITE, new long[] {0, 0, 0})),
                core("the region has 64", rig -> rig.post(OperationKind.WRITE, new long[] {61, 0, 4})),
                core("covers segments 0 to 0", rig -> rig.post(OperationKind.WRITE)),
                core("local region that is not registered", rig -> {
                    rig.left.backend().deregister(rig.local, soon());
                    rig.post(OperationKind.WRITE, new long[] {0, 0, 1});
                }),
                core("remote region that is not imported", rig -> {
                    rig.left.backend().releaseKey(rig.remote);
                    rig.post(OperationKind.WRITE, new long[] {0, 0, 1});
                }),
                core("called after close", rig -> {
                    rig.left.backend().close();
                    rig.link.post(
                            new CopiedOperation(1, OperationKind.WRITE, rig.local, rig.remote, new long[] {0, 0, 1}));
                }),
                core(
                        "over an hour",
                        rig -> rig.link.fence(
                                System.nanoTime() + Duration.ofHours(2).toNanos())),
                core("holding a lock", rig -> {
                    ReentrantLock lock = new ReentrantLock();
                    lock.lock();
                    try {
                        while (rig.provider.violations().texts().isEmpty()) { // looks are samples
                            rig.link.fence(soon());
                        }
                    } finally {
                        lock.unlock();
                    }
                }));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void breachesOfCore(String expected, Consumer<Rig> breach) {
        AssertingProvider provider = AssertingProvider.of(new MemProvider());
        try (Rig rig = new Rig(provider)) {
            provider.assertClean();
            breach.accept(rig);
        } catch (RuntimeException mayFollow) {
            // The reference backend may trip over what core must not do; the record is what counts.
            assertThat(mayFollow).isInstanceOfAny(IndexOutOfBoundsException.class, IllegalStateException.class);
        }
        assertThat(provider.violations().texts())
                .anySatisfy(text -> assertThat(text).startsWith("core: mem: ").contains(expected));
    }

    static Stream<Arguments> breachesOfBackends() {
        BiConsumer<BackendContext, Operation> twice = (context, op) -> {
            context.completions().complete(op.token(), 0, 0);
            context.completions().complete(op.token(), 0, 0);
        };
        BiConsumer<BackendContext, Operation> never = (context, op) -> {};
        BiConsumer<BackendContext, Operation> odd =
                (context, op) -> context.completions().complete(op.token(), 77, 0);
        BiConsumer<BackendContext, Operation> scribbler = (context, op) -> {
            op.lengths()[0] = 99;
            context.completions().complete(op.token(), 0, 0);
        };
        BiConsumer<BackendContext, Operation> shortArrays =
                (context, op) -> context.completions().complete(new long[1], new int[1], new long[1], 2);
        return Stream.of(
                Arguments.of("completed twice", twice),
                Arguments.of("without completion", never),
                Arguments.of("code 77", odd),
                Arguments.of("modified the segment arrays", scribbler),
                Arguments.of("2 entries in arrays of 1", shortArrays));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void breachesOfBackends(String expected, BiConsumer<BackendContext, Operation> post) {
        AssertingProvider provider = AssertingProvider.of(new Broken(post));
        try (Rig rig = new Rig(provider)) {
            rig.post(OperationKind.WRITE, new long[] {0, 0, 1});
            rig.link.fence(soon());
        }
        assertThat(provider.violations().texts())
                .anySatisfy(
                        text -> assertThat(text).startsWith("backend: mem: ").contains(expected));
        assertThatThrownBy(provider::assertClean).hasMessageContaining(expected);
    }

    @Test
    void ofCoreForgivesTheBackend() {
        AssertingProvider provider = AssertingProvider.ofCore(new Broken((context, op) -> {}));
        try (Rig rig = new Rig(provider)) {
            rig.post(OperationKind.WRITE, new long[] {0, 0, 1});
        }
        provider.assertClean();
    }

    /** The reference backend with another way to post. */
    private static final class Broken extends ForwardingProvider {
        private final BiConsumer<BackendContext, Operation> post;

        Broken(BiConsumer<BackendContext, Operation> post) {
            super(new MemProvider());
            this.post = post;
        }

        @Override
        public Backend open(BackendContext context) {
            return new ForwardingBackend(super.open(context)) {
                @Override
                public Link connect(Peer peer, LinkEvents events, long deadlineNanos) {
                    return new ForwardingLink(super.connect(peer, events, deadlineNanos)) {
                        @Override
                        public int post(Operation operation) {
                            post.accept(context, operation);
                            return ACCEPTED;
                        }
                    };
                }
            };
        }
    }
}
