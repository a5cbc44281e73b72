package io.weft.testkit.lone;

import io.weft.api.Access;
import io.weft.spi.BackendProvider;
import io.weft.spi.Link;
import io.weft.spi.LocalMemory;
import io.weft.spi.OperationKind;
import io.weft.spi.RemoteMemory;
import io.weft.testkit.CopiedOperation;
import io.weft.testkit.lone.RecordedCompletions.Completion;
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

/**
 * Two backends of one provider in this process, each with its progress thread, and what a test does with them. Confined to the test's
 * thread.
 */
public final class LonePair {
    private interface Closing {
        void close() throws Exception;
    }

    /** How long anything may take. */
    public static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Arena arena = Arena.ofShared();
    private final LoneContext.Neighbourhood neighbourhood = new LoneContext.Neighbourhood();
    private final BackendProvider provider;
    private final LoneContext left;
    private final LoneContext right;
    private final Deque<Closing> open = new ArrayDeque<>();
    private final AtomicLong tokens = new AtomicLong(1);
    private int regions;

    /**
     * Opens both.
     *
     * @param provider what to open
     * @param options of both sides
     */
    public LonePair(BackendProvider provider, Map<String, String> options) {
        this(provider, options, options);
    }

    /**
     * Opens both.
     *
     * @param provider what to open
     * @param leftOptions of one side
     * @param rightOptions of the other
     */
    public LonePair(BackendProvider provider, Map<String, String> leftOptions, Map<String, String> rightOptions) {
        this.provider = provider;
        left = context("left", leftOptions);
        right = context("right", rightOptions);
    }

    /**
     * Opens another one, which the pair closes.
     *
     * @param key its wire key
     * @param options its options
     * @return its context
     */
    public LoneContext context(String key, Map<String, String> options) {
        LoneContext context = LoneContext.open(neighbourhood, key, provider, options);
        open.push(() -> context.backend().close(deadline()));
        LoneDriver driver = new LoneDriver(context.backend());
        open.push(driver::close);
        return context;
    }

    /**
     * One side.
     *
     * @return its context
     */
    public LoneContext left() {
        return left;
    }

    /**
     * The other side.
     *
     * @return its context
     */
    public LoneContext right() {
        return right;
    }

    /**
     * When patience ends.
     *
     * @return a value of the system's clock
     */
    public static long deadline() {
        return System.nanoTime() + PATIENCE.toNanos();
    }

    /**
     * A registered region with its bytes.
     *
     * @param spec what was registered
     * @param local the backend's handle
     */
    public record Memory(LoneMemory spec, LocalMemory local) {
        /**
         * The bytes.
         *
         * @return native memory of the pair
         */
        public MemorySegment bytes() {
            return spec.bytes();
        }
    }

    /**
     * Registers fresh memory.
     *
     * @param owner whose it is
     * @param length bytes
     * @param access the rights
     * @return the region
     */
    public Memory memory(LoneContext owner, long length, Set<Access> access) {
        LoneMemory spec = new LoneMemory(++regions, arena.allocate(length, 64), access);
        return new Memory(spec, owner.backend().register(spec));
    }

    /**
     * Registers fresh memory with all rights.
     *
     * @param owner whose it is
     * @param length bytes
     * @return the region
     */
    public Memory memory(LoneContext owner, long length) {
        return memory(owner, length, Access.ALL);
    }

    /**
     * Fetches a region's key.
     *
     * @param initiator who wants it
     * @param owner whose region it is
     * @param memory the region
     * @return the initiator's handle
     */
    public RemoteMemory imported(LoneContext initiator, LoneContext owner, Memory memory) {
        byte[] key = owner.backend().exportKey(owner.peer(initiator), memory.local());
        return initiator
                .backend()
                .importKey(initiator.peer(owner), memory.spec().descriptor(owner.engineKey()), key);
    }

    /**
     * Connects.
     *
     * @param initiator from where
     * @param target to where
     * @param events what the link reports to
     * @return a link that is up
     */
    public Link connect(LoneContext initiator, LoneContext target, RecordedLink events) {
        return initiator.backend().connect(initiator.peer(target), events, deadline());
    }

    /**
     * Posts an operation once the link has credit.
     *
     * @param link the link
     * @param kind direction
     * @param local local region
     * @param remote remote region
     * @param segments triples of local offset, remote offset and length
     * @return its token
     * @throws AssertionError if it was not accepted in time
     */
    public long post(Link link, OperationKind kind, Memory local, RemoteMemory remote, long[]... segments) {
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

    /**
     * Posts an operation and waits for its end.
     *
     * @param initiator whose link it is
     * @param link the link
     * @param kind direction
     * @param local local region
     * @param remote remote region
     * @param segments triples of local offset, remote offset and length
     * @return how it ended
     * @throws InterruptedException if interrupted
     */
    public Completion run(
            LoneContext initiator, Link link, OperationKind kind, Memory local, RemoteMemory remote, long[]... segments)
            throws InterruptedException {
        return initiator.completions().await(post(link, kind, local, remote, segments), PATIENCE);
    }

    /**
     * Closes all, the last opened first.
     *
     * @throws Exception what a backend says that it cannot free
     */
    public void close() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
        arena.close();
    }
}
