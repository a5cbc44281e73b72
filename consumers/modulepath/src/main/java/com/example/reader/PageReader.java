package com.example.reader;

import io.weft.api.MemoryLocation;
import io.weft.api.Region;
import io.weft.api.RegionPair;
import io.weft.api.RegisterOptions;
import io.weft.api.SegmentTable;
import io.weft.api.SharedSegments;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import io.weft.engine.Weft;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;

/** Reads scattered pages of another engine into one piece. */
public final class PageReader {
    private static final int PAGE = 4096;
    private static final int PAGES = 64;

    private PageReader() {}

    public static void main(String[] args) throws InterruptedException {
        try (TransferEngine tier = Weft.builder().name("tier").listen("127.0.0.1", 0).open();
                TransferEngine reader = Weft.builder().name("reader").listen("127.0.0.1", 0).open();
                Region stored = tier.allocate(MemoryLocation.HOST, PAGES * PAGE, RegisterOptions.DEFAULT);
                Region wanted = reader.allocate(MemoryLocation.HOST, PAGES * PAGE / 2, RegisterOptions.DEFAULT)) {
            for (int page = 0; page < PAGES; page++) {
                page(stored, page).fill((byte) page);
            }
            reader.addPeer(tier.descriptor());
            Transfer transfer = reader.readMulti(List.of(everySecondPage(wanted, stored)), TransferOptions.DEFAULT);
            if (transfer.await(Duration.ofSeconds(40)) != TransferState.SUCCEEDED) {
                throw new IllegalStateException(transfer.code() + ": " + transfer.text());
            }
            for (int page = 0; page < PAGES / 2; page++) {
                if (page(wanted, page).mismatch(page(stored, 2 * page)) != -1) {
                    throw new IllegalStateException("page " + page + " differs");
                }
            }
            System.out.println(PAGES / 2 + " pages are equal, carried by "
                    + transfer.receipt().orElseThrow().backend());
        }
    }

    private static SharedSegments everySecondPage(Region local, Region remote) {
        long[] localOffsets = new long[PAGES / 2];
        long[] remoteOffsets = new long[PAGES / 2];
        long[] lengths = new long[PAGES / 2];
        for (int page = 0; page < PAGES / 2; page++) {
            localOffsets[page] = (long) page * PAGE;
            remoteOffsets[page] = 2L * page * PAGE;
            lengths[page] = PAGE;
        }
        return new SharedSegments(
                List.of(new RegionPair(local, remote.descriptor())),
                SegmentTable.of(localOffsets, remoteOffsets, lengths));
    }

    private static MemorySegment page(Region region, int page) {
        return region.segment().orElseThrow().asSlice((long) page * PAGE, PAGE);
    }
}
