package io.weft.backend.tcp;

import io.weft.spi.LocalMemory;
import io.weft.spi.Operation;
import io.weft.spi.OperationKind;
import io.weft.spi.RemoteMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** An operation put together by hand. */
final class FakeOperation implements Operation {
    private static final AtomicLong TOKENS = new AtomicLong(1);

    private record Run(LocalMemory local, RemoteMemory remote, int from, int to) {}

    private final long token = TOKENS.getAndIncrement();
    private final OperationKind kind;
    private final List<Run> runs = new ArrayList<>();
    private long[] localOffsets = {};
    private long[] remoteOffsets = {};
    private long[] lengths = {};
    private long transferId = token;

    private FakeOperation(OperationKind kind) {
        this.kind = kind;
    }

    static FakeOperation write() {
        return new FakeOperation(OperationKind.WRITE);
    }

    static FakeOperation read() {
        return new FakeOperation(OperationKind.READ);
    }

    FakeOperation id(long id) {
        transferId = id;
        return this;
    }

    /** Adds a run of one segment. */
    FakeOperation run(LocalMemory local, long localOffset, RemoteMemory remote, long remoteOffset, long length) {
        return run(local, remote, new long[][] {{localOffset, remoteOffset, length}});
    }

    /** Adds a run of segments: local offset, remote offset, length. */
    FakeOperation run(LocalMemory local, RemoteMemory remote, long[][] segments) {
        int from = lengths.length;
        int to = from + segments.length;
        localOffsets = java.util.Arrays.copyOf(localOffsets, to);
        remoteOffsets = java.util.Arrays.copyOf(remoteOffsets, to);
        lengths = java.util.Arrays.copyOf(lengths, to);
        for (int i = from; i < to; i++) {
            localOffsets[i] = segments[i - from][0];
            remoteOffsets[i] = segments[i - from][1];
            lengths[i] = segments[i - from][2];
        }
        runs.add(new Run(local, remote, from, to));
        return this;
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
        return runs.size();
    }

    @Override
    public LocalMemory local(int run) {
        return runs.get(run).local();
    }

    @Override
    public RemoteMemory remote(int run) {
        return runs.get(run).remote();
    }

    @Override
    public int from(int run) {
        return runs.get(run).from();
    }

    @Override
    public int to(int run) {
        return runs.get(run).to();
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
        return lengths.length;
    }

    @Override
    public long totalBytes() {
        return java.util.Arrays.stream(lengths).sum();
    }

    @Override
    public long transferId() {
        return transferId;
    }

    @Override
    public boolean announce() {
        return false;
    }

    @Override
    public long deadlineNanos() {
        return System.nanoTime() + 30_000_000_000L;
    }
}
