package io.weft.backend.libfabric;

import io.weft.api.Access;
import io.weft.spi.Link;
import io.weft.spi.LocalMemory;
import io.weft.spi.OperationKind;
import io.weft.spi.RemoteMemory;
import io.weft.testkit.CopiedOperation;
import io.weft.testkit.lone.LoneContext;
import io.weft.testkit.lone.LoneMemory;
import io.weft.testkit.lone.RecordedCompletions.Completion;
import io.weft.testkit.lone.RecordedLink;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Two backends of one provider in this process, each with its progress thread, and what a test does with them. */
final class Pair {
    private interface Closing {
        void close() throws Exception;
    }

    /** Another libfabric than the installed one, to test against other versions; a file or directory. */
    static final String LIBRARY = System.getProperty("weft.test.libfabric", "");

    static final Duration PATIENCE = Duration.ofSeconds(20);

    final Arena arena = Arena.ofShared();
    final LoneContext.Neighbourhood neighbourhood = new LoneContext.Neighbourhood();
    final LoneContext left;
    final LoneContext right;
    private final Deque<Closing> open = new ArrayDeque<>();
    private final AtomicLong tokens = new AtomicLong(1);
    private int regions;

    Pair(String provider) {
        left = context("left", provider);
        right = context("right", provider);
    }

    LoneContext context(String key, String libfabricProvider) {
        Map<String, String> options = Map.of("library", LIBRARY, "provider", libfabricProvider);
        LoneContext context = LoneContext.open(neighbourhood, key, new LibfabricProvider(), options);
        open.push(() -> context.backend().close(deadline()));
        Driver driver = new Driver(context.backend());
        open.push(driver::close);
        return context;
    }

    static long deadline() {
        return System.nanoTime() + PATIENCE.toNanos();
    }

    /** A registered region with its bytes. */
    record Memory(LoneMemory spec, LocalMemory local) {
        MemorySegment bytes() {
            return spec.bytes();
        }
    }

    Memory memory(LoneContext owner, long length, Set<Access> access) {
        LoneMemory spec = new LoneMemory(++regions, arena.allocate(length, 64), access);
        return new Memory(spec, owner.backend().register(spec));
    }

    Memory memory(LoneContext owner, long length) {
        return memory(owner, length, Access.ALL);
    }

    RemoteMemory imported(LoneContext initiator, LoneContext owner, Memory memory) {
        byte[] key = owner.backend().exportKey(owner.peer(initiator), memory.local());
        return initiator
                .backend()
                .importKey(initiator.peer(owner), memory.spec().descriptor(owner.engineKey()), key);
    }

    Link connect(LoneContext initiator, LoneContext target, RecordedLink events) {
        return initiator.backend().connect(initiator.peer(target), events, deadline());
    }

    long post(Link link, OperationKind kind, Memory local, RemoteMemory remote, long[]... segments) {
        long token = tokens.getAndIncrement();
        CopiedOperation operation = new CopiedOperation(token, kind, local.local(), remote, segments);
        long deadline = deadline();
        int answer;
        while ((answer = link.post(operation)) == Link.WOULD_BLOCK) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("no credit within " + PATIENCE);
            }
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(50));
        }
        if (answer != Link.ACCEPTED) {
            throw new AssertionError("post answered " + answer);
        }
        return token;
    }

    Completion run(
            LoneContext initiator, Link link, OperationKind kind, Memory local, RemoteMemory remote, long[]... segments)
            throws InterruptedException {
        return initiator.completions().await(post(link, kind, local, remote, segments), PATIENCE);
    }

    void close() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
        arena.close();
    }
}
