package io.weft.testkit;

import io.weft.spi.LocalMemory;
import io.weft.spi.Operation;
import io.weft.spi.OperationKind;
import io.weft.spi.RemoteMemory;
import java.util.Arrays;

/**
 * A copy of an operation, for whoever needs it after {@link io.weft.spi.Link#post} returned or makes one by hand. Its arrays
 * begin with the first segment in use.
 */
public final class CopiedOperation implements Operation {
    private final long token;
    private final OperationKind kind;
    private final LocalMemory[] locals;
    private final RemoteMemory[] remotes;
    private final int[] from;
    private final int[] to;
    private final long[] localOffsets;
    private final long[] remoteOffsets;
    private final long[] lengths;
    private final int segmentCount;
    private final long totalBytes;
    private final long transferId;
    private final boolean announce;
    private final long deadlineNanos;

    /**
     * Copies.
     *
     * @param original an operation that is valid now
     */
    public CopiedOperation(Operation original) {
        int runs = original.runCount();
        token = original.token();
        kind = original.kind();
        locals = new LocalMemory[runs];
        remotes = new RemoteMemory[runs];
        from = new int[runs];
        to = new int[runs];
        int lowest = Integer.MAX_VALUE;
        int highest = 0;
        for (int run = 0; run < runs; run++) {
            locals[run] = original.local(run);
            remotes[run] = original.remote(run);
            from[run] = original.from(run);
            to[run] = original.to(run);
            lowest = Math.min(lowest, from[run]);
            highest = Math.max(highest, to[run]);
        }
        int base = runs == 0 ? 0 : lowest;
        for (int run = 0; run < runs; run++) {
            from[run] -= base;
            to[run] -= base;
        }
        localOffsets = Arrays.copyOfRange(original.localOffsets(), base, highest);
        remoteOffsets = Arrays.copyOfRange(original.remoteOffsets(), base, highest);
        lengths = Arrays.copyOfRange(original.lengths(), base, highest);
        segmentCount = original.segmentCount();
        totalBytes = original.totalBytes();
        transferId = original.transferId();
        announce = original.announce();
        deadlineNanos = original.deadlineNanos();
    }

    /**
     * Makes an operation of one run.
     *
     * @param token names it in its completion
     * @param kind direction
     * @param local local region
     * @param remote remote region
     * @param segments triples of local offset, remote offset and length
     */
    public CopiedOperation(long token, OperationKind kind, LocalMemory local, RemoteMemory remote, long[]... segments) {
        this(token, kind, new LocalMemory[] {local}, new RemoteMemory[] {remote}, false, segments);
    }

    private CopiedOperation(
            long token,
            OperationKind kind,
            LocalMemory[] locals,
            RemoteMemory[] remotes,
            boolean announce,
            long[]... segments) {
        this.token = token;
        this.kind = kind;
        this.locals = locals;
        this.remotes = remotes;
        from = new int[] {0};
        to = new int[] {segments.length};
        localOffsets = column(segments, 0);
        remoteOffsets = column(segments, 1);
        lengths = column(segments, 2);
        segmentCount = segments.length;
        totalBytes = Arrays.stream(lengths).sum();
        transferId = token;
        this.announce = announce;
        deadlineNanos = System.nanoTime() + 30_000_000_000L;
    }

    /**
     * Makes an operation without data that announces the transfer of the same number.
     *
     * @param token names it in its completion
     * @return the operation
     */
    public static CopiedOperation announcement(long token) {
        return new CopiedOperation(token, OperationKind.WRITE, new LocalMemory[0], new RemoteMemory[0], true);
    }

    private static long[] column(long[][] segments, int index) {
        return Arrays.stream(segments).mapToLong(s -> s[index]).toArray();
    }

    @Override
    public long token() {
        return token;
    }

    @Override
    public OperationKind kind() {
        return kind;
    }

    @Override
    public int runCount() {
        return locals.length;
    }

    @Override
    public LocalMemory local(int run) {
        return locals[run];
    }

    @Override
    public RemoteMemory remote(int run) {
        return remotes[run];
    }

    @Override
    public int from(int run) {
        return from[run];
    }

    @Override
    public int to(int run) {
        return to[run];
    }

    @Override
    public long[] localOffsets() {
        return localOffsets;
    }

    @Override
    public long[] remoteOffsets() {
        return remoteOffsets;
    }

    @Override
    public long[] lengths() {
        return lengths;
    }

    @Override
    public int segmentCount() {
        return segmentCount;
    }

    @Override
    public long totalBytes() {
        return totalBytes;
    }

    @Override
    public long transferId() {
        return transferId;
    }

    @Override
    public boolean announce() {
        return announce;
    }

    @Override
    public long deadlineNanos() {
        return deadlineNanos;
    }

    /** Overwrites the arrays, so that whoever kept them after their loan ended computes nonsense and is found out. */
    void poison() {
        Arrays.fill(localOffsets, Long.MIN_VALUE);
        Arrays.fill(remoteOffsets, Long.MIN_VALUE);
        Arrays.fill(lengths, Long.MIN_VALUE);
    }

    /** Fingerprint of the arrays, to see whether somebody wrote into them. */
    int fingerprint() {
        return Arrays.hashCode(localOffsets) * 31 * 31 + Arrays.hashCode(remoteOffsets) * 31 + Arrays.hashCode(lengths);
    }
}
