package io.weft.backend.tcp;

import io.weft.api.ErrorCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A write or read of a plain peer that this side serves. Recycled; guarded by its session. */
final class V3Inbound extends V3Lanes implements V3Frame, V3Payload.Owner {
    private final V3Target target;
    long operation;
    long deadlineNanos;
    boolean read;
    int segments;
    int status;
    String text = "";
    byte[] textBytes = {};
    boolean live;
    boolean answered;
    boolean answerSent;

    V3Inbound(V3Target target) {
        this.target = target;
    }

    void begin(long operationId, boolean isRead, long deadline) {
        operation = operationId;
        read = isRead;
        deadlineNanos = deadline;
        status = 0;
        text = "";
        textBytes = new byte[0];
        live = true;
        answered = false;
        answerSent = false;
        segments = 0;
        extents().clear();
    }

    /** Decides the answer; the first reason stands. */
    void refuse(int moriStatus, String why) {
        if (status == 0) {
            status = moriStatus;
            text = why;
            textBytes = why.getBytes(StandardCharsets.UTF_8);
        }
    }

    ErrorCode code() {
        return status == Refusal.BUSY.moriCode() ? ErrorCode.RESOURCE_EXHAUSTED : ErrorCode.REMOTE_ACCESS;
    }

    @Override
    void onLane(boolean spoiled) throws IOException {
        if (spoiled) {
            refuse(Refusal.DEREGISTERED.moriCode(), Refusal.DEREGISTERED.text());
        }
        target.laneIn(this);
    }

    @Override
    public void onLaneSent() {
        laneGone();
        target.laneOut(this);
    }

    @Override
    public boolean write(ByteBuffer out) {
        V3.completion(out, operation, status, textBytes);
        answerSent = true;
        target.answerOut(this);
        return true;
    }
}
