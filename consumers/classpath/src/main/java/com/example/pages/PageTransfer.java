package com.example.pages;

import io.weft.api.MemoryDescriptor;
import io.weft.api.MemoryLocation;
import io.weft.api.Region;
import io.weft.api.RegisterOptions;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import io.weft.engine.Descriptors;
import io.weft.engine.Weft;
import java.lang.foreign.ValueLayout;
import java.time.Duration;

/** Writes one page from one engine into another; here both are in one process. */
public final class PageTransfer {
    static final long PAGE = 64 * 1024;

    public static void main(String[] args) throws InterruptedException {
        try (TransferEngine prefill = Weft.builder().name("prefill").listen("127.0.0.1", 0).open();
                TransferEngine decode = Weft.builder().name("decode").listen("127.0.0.1", 0).open();
                Region pages = decode.allocate(MemoryLocation.HOST, 16 * PAGE, RegisterOptions.DEFAULT);
                Region computed = prefill.allocate(MemoryLocation.HOST, PAGE, RegisterOptions.DEFAULT)) {

            // What decode tells prefill, by whatever channel the two have: where it is, and where its pages are.
            byte[] address = Descriptors.pack(decode.descriptor());
            byte[] memory = Descriptors.pack(pages.descriptor());

            prefill.addPeer(Descriptors.unpackEngine(address));
            MemoryDescriptor remote = Descriptors.unpackMemory(memory);
            computed.segment().orElseThrow().fill((byte) 42);

            TransferOptions within = TransferOptions.DEFAULT.withDeadline(Duration.ofSeconds(5));
            Transfer transfer = prefill.write(computed, 0, remote, 3 * PAGE, PAGE, within);

            // Never an exception for what a network did: a state, and why.
            if (transfer.await(Duration.ofSeconds(6)) != TransferState.SUCCEEDED) {
                throw new IllegalStateException(transfer.code() + ": " + transfer.text());
            }
            System.out.println("page 3 starts with "
                    + pages.segment().orElseThrow().get(ValueLayout.JAVA_BYTE, 3 * PAGE)
                    + ", carried by " + transfer.receipt().orElseThrow().backend());
        }
    }
}
