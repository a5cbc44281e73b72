package io.weft.engine.internal.control.socket;

import io.weft.api.EngineDescriptor;
import io.weft.engine.NodeMarker;
import io.weft.engine.internal.control.ControlAddress;
import io.weft.engine.internal.control.ControlSession;
import io.weft.engine.internal.control.Hello;
import io.weft.spi.EngineClock;
import io.weft.spi.Metrics;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;

/** A started plane with a handler, a descriptor and counters. */
final class TestEngine implements AutoCloseable {
    /** Liveness, not speed: a busy machine may take its time. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    static {
        Awaitility.setDefaultTimeout(PATIENCE);
    }

    private static final AtomicLong INCARNATIONS = new AtomicLong(System.nanoTime() << 8);

    final RecordingHandler handler;
    final SocketControlPlane plane;
    final ControlAddress address;
    final Map<String, AtomicLong> counters = new ConcurrentHashMap<>();

    TestEngine(RecordingHandler handler, UnaryOperator<SocketSettings.Builder> settings) {
        this.handler = handler;
        plane = new SocketControlPlane(
                settings.apply(SocketSettings.builder()).build(), EngineClock.SYSTEM, new Metrics() {
                    @Override
                    public Counter counter(String name) {
                        return counters.computeIfAbsent(name, n -> new AtomicLong())::addAndGet;
                    }

                    @Override
                    public void gauge(String name, LongSupplier value) {}
                });
        address = plane.start(handler);
    }

    static TestEngine start(String key) {
        return start(key, s -> s);
    }

    static TestEngine start(String key, UnaryOperator<SocketSettings.Builder> settings) {
        return new TestEngine(new RecordingHandler(key, nextIncarnation()), settings);
    }

    static long nextIncarnation() {
        return INCARNATIONS.incrementAndGet();
    }

    EngineDescriptor descriptor() {
        Hello h = handler.hello();
        String nodeId = new NodeMarker("node", h.wireMajor(), h.wireMinor(), h.incarnation()).format();
        return new EngineDescriptor(h.key(), nodeId, "localhost", address.host(), address.port(), 1);
    }

    ControlSession connect(TestEngine other) {
        return plane.connect(other.descriptor(), deadline());
    }

    static long deadline() {
        return in(PATIENCE);
    }

    static long in(Duration time) {
        return System.nanoTime() + time.toNanos();
    }

    long count(String counter) {
        AtomicLong value = counters.get("control." + counter);
        return value == null ? 0 : value.get();
    }

    @Override
    public void close() {
        plane.close(in(Duration.ofSeconds(5)));
    }
}
