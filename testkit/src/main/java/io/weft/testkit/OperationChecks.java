package io.weft.testkit;

import io.weft.spi.Limits;
import io.weft.spi.Operation;
import io.weft.spi.OperationKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What core promises of an {@link Operation}, checked from its Javadoc and not from core. */
final class OperationChecks {
    private final Operation operation;
    private final Limits limits;
    private final List<String> faults = new ArrayList<>();

    private OperationChecks(Operation operation, Limits limits) {
        this.operation = operation;
        this.limits = limits;
    }

    static List<String> faults(Operation operation, Limits limits) {
        OperationChecks checks = new OperationChecks(operation, limits);
        checks.check();
        return checks.faults;
    }

    private void check() {
        if (operation.runCount() == 0 && !operation.announce()) {
            faults.add("operation without a run");
        }
        long bytes = 0;
        int segments = 0;
        for (int run = 0; run < operation.runCount(); run++) {
            int from = operation.from(run);
            int to = operation.to(run);
            int room = Math.min(
                    operation.lengths().length,
                    Math.min(operation.localOffsets().length, operation.remoteOffsets().length));
            if (from < 0 || from >= to || to > room) {
                faults.add("run " + run + " covers segments " + from + " to " + to + " of arrays of " + room);
                return;
            }
            segments += to - from;
            for (int i = from; i < to; i++) {
                checkSegment(run, i);
                bytes += operation.lengths()[i];
            }
            checkOrder(run);
            checkLocalOverlap(run);
        }
        if (segments != operation.segmentCount()) {
            faults.add("segmentCount is " + operation.segmentCount() + ", the runs have " + segments);
        }
        if (bytes != operation.totalBytes()) {
            faults.add("totalBytes is " + operation.totalBytes() + ", the runs have " + bytes);
        }
        if (segments > limits.segmentsPerOperation()) {
            faults.add(segments + " segments, the limit is " + limits.segmentsPerOperation());
        }
        if (bytes > limits.operationBytes()) {
            faults.add(bytes + " bytes, the limit of an operation is " + limits.operationBytes());
        }
    }

    private void checkSegment(int run, int i) {
        long length = operation.lengths()[i];
        if (length < 1 || length > limits.segmentBytes()) {
            faults.add("segment " + i + " has " + length + " bytes, allowed are 1 to " + limits.segmentBytes());
        }
        within(
                "local",
                i,
                operation.localOffsets()[i],
                length,
                operation.local(run).spec().length());
        within(
                "remote",
                i,
                operation.remoteOffsets()[i],
                length,
                operation.remote(run).descriptor().length());
    }

    private void within(String side, int i, long offset, long length, long regionLength) {
        if (offset < 0 || length < 0 || offset > regionLength - length) {
            faults.add("segment " + i + " covers " + side + " bytes from " + offset + ", " + length
                    + " of them; the region has " + regionLength);
        }
    }

    private void checkOrder(int run) {
        long[] local = operation.localOffsets();
        long[] remote = operation.remoteOffsets();
        long[] lengths = operation.lengths();
        for (int i = operation.from(run) + 1; i < operation.to(run); i++) {
            long end = remote[i - 1] + lengths[i - 1];
            if (remote[i] < remote[i - 1]) {
                faults.add("segments " + (i - 1) + " and " + i + " are not sorted by remote offset");
            } else if (operation.kind() == OperationKind.WRITE && remote[i] < end) {
                faults.add("segments " + (i - 1) + " and " + i + " overlap at the destination");
            }
            boolean neighbours = remote[i] == end && local[i] == local[i - 1] + lengths[i - 1];
            if (neighbours && lengths[i - 1] + lengths[i] <= limits.segmentBytes()) {
                faults.add("segments " + (i - 1) + " and " + i + " are neighbours and were not merged");
            }
        }
    }

    private void checkLocalOverlap(int run) {
        if (operation.kind() == OperationKind.WRITE) {
            return;
        }
        int from = operation.from(run);
        long[][] byLocal = new long[operation.to(run) - from][];
        for (int i = 0; i < byLocal.length; i++) {
            byLocal[i] =
                    new long[] {operation.localOffsets()[from + i], operation.lengths()[from + i]};
        }
        Arrays.sort(byLocal, (a, b) -> Long.compare(a[0], b[0]));
        for (int i = 1; i < byLocal.length; i++) {
            if (byLocal[i][0] < byLocal[i - 1][0] + byLocal[i - 1][1]) {
                faults.add("two segments overlap at the local destination offset " + byLocal[i][0]);
            }
        }
    }
}
