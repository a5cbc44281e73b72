package io.weft.tck.harness;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryDescriptor;
import io.weft.api.WeftException;
import io.weft.spi.Availability;
import io.weft.spi.Backend;
import io.weft.spi.BackendContext;
import io.weft.spi.Capabilities;
import io.weft.spi.Link;
import io.weft.spi.LinkEvents;
import io.weft.spi.LocalMemory;
import io.weft.spi.MemorySpec;
import io.weft.spi.Operation;
import io.weft.spi.OptionSpec;
import io.weft.spi.Peer;
import io.weft.spi.ProbeContext;
import io.weft.spi.RemoteMemory;
import io.weft.testkit.ForwardingBackend;
import io.weft.testkit.ForwardingLink;
import io.weft.testkit.ForwardingProvider;
import io.weft.testkit.mem.MemProvider;
import java.util.Arrays;
import java.util.List;

/** The reference backend without the methods that option {@code without} names, separated by bars: as far as a newcomer has got. */
public final class HalfWrittenProvider extends ForwardingProvider {
    static final String NAME = "half";
    static final String WITHOUT = "without";

    public HalfWrittenProvider() {
        super(new MemProvider());
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<OptionSpec> options() {
        return List.of(OptionSpec.of(WITHOUT, OptionSpec.Type.STRING, "", "Methods that are not written."));
    }

    @Override
    public Availability probe(ProbeContext context) {
        new Missing(context.options().string(WITHOUT)).check("probe");
        return super.probe(context);
    }

    @Override
    public Backend open(BackendContext context) {
        Missing missing = new Missing(context.options().string(WITHOUT));
        missing.check("open");
        return new HalfBackend(super.open(context), missing);
    }

    private record Missing(String names) {
        boolean has(String method) {
            return Arrays.asList(names.split("\\|")).contains(method);
        }

        void check(String method) {
            if (has(method)) {
                throw new UnsupportedOperationException(method + " is for tomorrow");
            }
        }
    }

    private static final class HalfBackend extends ForwardingBackend {
        private final Missing missing;

        HalfBackend(Backend whole, Missing missing) {
            super(whole);
            this.missing = missing;
        }

        @Override
        public Capabilities capabilities() {
            return missing.has("capabilities") ? Capabilities.builder().build() : super.capabilities();
        }

        @Override
        public LocalMemory register(MemorySpec spec) {
            if (missing.has("register")) { // as the template of new-backend does it
                throw new WeftException(ErrorCode.UNSUPPORTED, "half: step 4, register is not written yet");
            }
            return super.register(spec);
        }

        @Override
        public boolean deregister(LocalMemory memory, long deadlineNanos) {
            missing.check("deregister");
            return super.deregister(memory, deadlineNanos);
        }

        @Override
        public byte[] exportKey(Peer peer, LocalMemory memory) {
            missing.check("exportKey");
            return super.exportKey(peer, memory);
        }

        @Override
        public RemoteMemory importKey(Peer peer, MemoryDescriptor descriptor, byte[] key) {
            missing.check("importKey");
            return super.importKey(peer, descriptor, key);
        }

        @Override
        public Link connect(Peer peer, LinkEvents events, long deadlineNanos) {
            missing.check("connect");
            return new HalfLink(super.connect(peer, events, deadlineNanos), missing);
        }

        @Override
        public boolean fencePeer(Peer peer, long deadlineNanos) {
            missing.check("fencePeer");
            return super.fencePeer(peer, deadlineNanos);
        }
    }

    private static final class HalfLink extends ForwardingLink {
        private final Missing missing;

        HalfLink(Link whole, Missing missing) {
            super(whole);
            this.missing = missing;
        }

        @Override
        public int post(Operation operation) {
            missing.check("post");
            return missing.has("completions") ? ACCEPTED : super.post(operation);
        }

        @Override
        public boolean fence(long deadlineNanos) {
            missing.check("fence");
            return super.fence(deadlineNanos);
        }
    }
}
