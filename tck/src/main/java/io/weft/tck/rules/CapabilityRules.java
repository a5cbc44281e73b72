package io.weft.tck.rules;

import io.weft.api.ErrorCode;
import io.weft.spi.Backend;
import io.weft.spi.BackendContext;
import io.weft.spi.BackendProvider;
import io.weft.spi.Capabilities;
import io.weft.spi.Link;
import io.weft.spi.LinkEvents;
import io.weft.spi.Operation;
import io.weft.spi.OperationKind;
import io.weft.spi.Peer;
import io.weft.spi.TransferSupport;
import io.weft.tck.harness.Block;
import io.weft.tck.harness.Expect;
import io.weft.tck.harness.Rig;
import io.weft.tck.harness.RuleSuite;
import io.weft.tck.harness.RuleTest;
import io.weft.testkit.ForwardingBackend;
import io.weft.testkit.ForwardingLink;
import io.weft.testkit.ForwardingProvider;
import java.util.concurrent.atomic.AtomicInteger;

/** CAP: capabilities. */
@RuleSuite
class CapabilityRules {
    private static final int SIZE = 300;

    @RuleTest(value = "CAP-1", everyKind = true)
    void cap1_whatIsDeclaredWorks(Rig rig) throws InterruptedException {
        Block local = rig.local(SIZE);
        Block remote = rig.remote(SIZE);
        byte[] written = local.fill(1);
        rig.succeeds(rig.write(local, 0, remote, 0, SIZE));
        Expect.sameBytes("what a declared write left", written, remote.bytes());
        byte[] read = remote.fill(2);
        rig.succeeds(rig.read(local, 0, remote, 0, SIZE));
        Expect.sameBytes("what a declared read left", read, local.bytes());
    }

    @RuleTest("CAP-1")
    void cap1_whatIsNotDeclaredIsUnsupportedBeforeAByteMoves(Rig rig) throws InterruptedException {
        for (OperationKind hidden : OperationKind.values()) {
            AtomicInteger posts = new AtomicInteger();
            try (Rig half = new Rig(rig.run(), rig.permutation())) {
                half.setup().decorate(sound -> new Half(sound, hidden, posts));
                Block local = half.local(SIZE);
                Block remote = half.remote(SIZE);
                byte[] localBytes = local.fill(1);
                byte[] remoteBytes = remote.fill(2);
                half.fails(
                        "a " + hidden + " over a backend that does not declare it",
                        hidden == OperationKind.WRITE
                                ? half.write(local, 0, remote, 0, SIZE)
                                : half.read(local, 0, remote, 0, SIZE),
                        ErrorCode.UNSUPPORTED);
                Expect.equal("operations that reached the backend", 0, posts.get());
                Expect.sameBytes("the initiator", localBytes, local.bytes());
                Expect.sameBytes("the target", remoteBytes, remote.bytes());
            }
        }
    }

    /** A backend that hides one kind of operation, and counts those that come all the same. */
    private static final class Half extends ForwardingProvider {
        private final OperationKind hidden;
        private final AtomicInteger posts;

        Half(BackendProvider sound, OperationKind hidden, AtomicInteger posts) {
            super(sound);
            this.hidden = hidden;
            this.posts = posts;
        }

        @Override
        public Backend open(BackendContext context) {
            return new ForwardingBackend(super.open(context)) {
                @Override
                public Capabilities capabilities() {
                    Capabilities all = super.capabilities();
                    Capabilities.Builder fewer = Capabilities.builder()
                            .progress(all.progress(), all.targetNeedsProgress())
                            .enforcement(all.enforcement())
                            .reach(all.reach())
                            .quiesceTime(all.quiesceTime());
                    for (TransferSupport support : all.transfers()) {
                        if (support.kind() != hidden) {
                            fewer.supports(support.kind(), support.local(), support.remote(), support.visibility());
                        }
                    }
                    return fewer.build();
                }

                @Override
                public Link connect(Peer peer, LinkEvents events, long deadlineNanos) {
                    return new ForwardingLink(super.connect(peer, events, deadlineNanos)) {
                        @Override
                        public int post(Operation operation) {
                            if (operation.kind() == hidden) {
                                posts.incrementAndGet();
                            }
                            return super.post(operation);
                        }
                    };
                }
            };
        }
    }
}
