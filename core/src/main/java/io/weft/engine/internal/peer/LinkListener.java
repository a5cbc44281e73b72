package io.weft.engine.internal.peer;

import io.weft.api.ErrorCode;
import io.weft.engine.internal.concurrent.Mail;
import io.weft.spi.LinkEvents;

/** Hears of one link, from its connect call on. Safe from any thread. */
final class LinkListener implements LinkEvents {
    private final PeerLink owner;
    private volatile boolean writable;

    LinkListener(PeerLink owner) {
        this.owner = owner;
    }

    @Override
    public void onWritable() {
        writable = true;
        owner.peer().signal();
    }

    @Override
    public void onDown(ErrorCode code, long nativeCode, String text) {
        owner.peer().send(Mail.of(() -> owner.down(this, code, nativeCode, text)));
    }

    /** Called before a post: what was said of earlier ones does not count. In the turn. */
    void forgetWritable() {
        if (writable) {
            writable = false;
        }
    }

    boolean isWritable() {
        return writable;
    }
}
