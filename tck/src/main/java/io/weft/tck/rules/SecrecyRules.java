package io.weft.tck.rules;

import io.weft.api.ErrorCode;
import io.weft.api.Transfer;
import io.weft.spi.Backend;
import io.weft.spi.BackendContext;
import io.weft.spi.BackendProvider;
import io.weft.spi.LocalMemory;
import io.weft.spi.Peer;
import io.weft.tck.harness.Block;
import io.weft.tck.harness.Expect;
import io.weft.tck.harness.Rig;
import io.weft.tck.harness.RuleSuite;
import io.weft.tck.harness.RuleTest;
import io.weft.tck.harness.Sides;
import io.weft.tck.harness.Topology;
import io.weft.testkit.ForwardingBackend;
import io.weft.testkit.ForwardingProvider;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** SEC-4: what nobody gets to know. */
@RuleSuite
class SecrecyRules {
    private static final int SIZE = 1000;
    private static final String SECRET = "kit-secret-3f9a1c7e5b2d8a60-of-the-test";

    @RuleTest(
            value = "SEC-4",
            topologies = {Topology.PAIR, Topology.PROCESS})
    void sec4_secretsAndKeysAreNeverTold(Rig rig) throws InterruptedException {
        Queue<String> told = new ConcurrentLinkedQueue<>();
        Queue<byte[]> keys = new ConcurrentLinkedQueue<>();
        Handler listener = new Listener(told);
        Logger root = Logger.getLogger("io.weft");
        Level before = root.getLevel();
        root.addHandler(listener);
        root.setLevel(Level.ALL);
        // Where System.Logger leads elsewhere than to java.util.logging, what it tells comes out here, as all that is
        // printed.
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(tee(out, printed));
        System.setErr(tee(err, printed));
        try {
            rig.setup().with("weft.secret", SECRET).decorate(sound -> new KeyKeeper(sound, keys));
            Block from = rig.local(SIZE);
            Block to = rig.remote(SIZE);
            List<Transfer> transfers = new ArrayList<>();
            transfers.add(rig.write(from, 0, to, 0, SIZE));
            rig.end(transfers.getFirst());
            Sides.introduce(rig.target(), rig.here());
            rig.target().move(true, to.handle(), 0, rig.here().memory(from.handle()), 0, 10, 5000);
            transfers.add(rig.write(from, 0, to, SIZE, 10));
            to.owner().deregister(to.handle(), 100);
            transfers.add(rig.write(from, 0, to, 0, 10));
            for (Transfer transfer : transfers) {
                rig.end(transfer);
                told.add(transfer + " " + transfer.text() + " " + transfer.receipt());
            }
            told.add(rig.engine()
                    .explain(
                            rig.targetKey(),
                            rig.permutation().kinds().local(),
                            rig.permutation().kinds().remote())
                    .toString());
            told.add(rig.engine().descriptor() + " " + from.descriptor() + " " + from.region());
            var refused = Expect.refused(
                    "open with a wrong option beside a secret",
                    () -> rig.sides().openHere(rig.setup().spec("refused").with("weft.no-such-option", "1")),
                    ErrorCode.INVALID_ARGUMENT);
            for (Throwable each = refused; each != null; each = each.getCause()) {
                told.add(each.toString());
            }
            Thread.getAllStackTraces().keySet().forEach(thread -> told.add("thread " + thread.getName()));
            if (rig.permutation().topology() == Topology.PROCESS) {
                told.add(rig.process().logTail());
            }
        } finally {
            System.setOut(out);
            System.setErr(err);
            root.removeHandler(listener);
            root.setLevel(before);
        }
        told.add(printed.toString(StandardCharsets.UTF_8));
        Expect.that(!keys.isEmpty(), "no region key was made, so the test shows nothing");
        for (String text : told) {
            Expect.that(!text.contains(SECRET), "the secret is told: " + text);
            for (byte[] key : keys) {
                for (String form : forms(key)) {
                    Expect.that(!text.contains(form), "a region's key is told: " + text);
                }
            }
        }
    }

    /** Shows what is printed, and keeps it. */
    private static PrintStream tee(PrintStream shown, ByteArrayOutputStream kept) {
        OutputStream both = new OutputStream() {
            @Override
            public void write(int one) {
                shown.write(one);
                kept.write(one);
            }

            @Override
            public void write(byte[] bytes, int from, int count) {
                shown.write(bytes, from, count);
                kept.write(bytes, from, count);
            }

            @Override
            public void flush() {
                shown.flush();
            }
        };
        return new PrintStream(both, true, StandardCharsets.UTF_8);
    }

    /** Ways in which bytes are written; too short ones would be found by chance. */
    private static List<String> forms(byte[] key) {
        List<String> forms = new ArrayList<>();
        if (key.length >= 8) {
            forms.add(HexFormat.of().formatHex(key));
            forms.add(Base64.getEncoder().withoutPadding().encodeToString(key));
            forms.add(new String(key, StandardCharsets.ISO_8859_1));
            forms.add(java.util.Arrays.toString(key));
        }
        return forms;
    }

    private static final class KeyKeeper extends ForwardingProvider {
        private final Queue<byte[]> keys;

        KeyKeeper(BackendProvider sound, Queue<byte[]> keys) {
            super(sound);
            this.keys = keys;
        }

        @Override
        public Backend open(BackendContext context) {
            return new ForwardingBackend(super.open(context)) {
                @Override
                public byte[] exportKey(Peer peer, LocalMemory memory) {
                    byte[] key = super.exportKey(peer, memory);
                    keys.add(key.clone());
                    return key;
                }
            };
        }
    }

    private static final class Listener extends Handler {
        private final Queue<String> told;
        private final SimpleFormatter formatter = new SimpleFormatter();

        Listener(Queue<String> told) {
            this.told = told;
            setLevel(Level.ALL);
        }

        @Override
        public void publish(LogRecord entry) {
            told.add(formatter.format(entry));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
