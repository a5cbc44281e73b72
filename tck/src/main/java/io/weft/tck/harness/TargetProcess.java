package io.weft.tck.harness;

import io.weft.tck.TckConfig;
import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Entry of a target process: carries out calls from standard input and ends when that does. */
public final class TargetProcess {
    private final Subject subject;
    private final ObjectOutputStream replies;
    private final Map<Integer, EngineTarget> engines = new ConcurrentHashMap<>();
    private final AtomicInteger handles = new AtomicInteger();

    private TargetProcess(Subject subject, ObjectOutputStream replies) {
        this.subject = subject;
        this.replies = replies;
    }

    /**
     * Runs until standard input ends.
     *
     * @param args the configuration of the run, as {@code key=value}
     * @throws IOException if the streams break
     * @throws ClassNotFoundException if the other side is of another version
     */
    public static void main(String[] args) throws IOException, ClassNotFoundException {
        // Whatever a backend prints must not get between the replies.
        OutputStream out = System.out;
        System.setOut(new PrintStream(System.err, true, StandardCharsets.UTF_8));
        Map<String, String> properties = new ConcurrentHashMap<>();
        Arrays.stream(args).map(arg -> arg.split("=", 2)).forEach(pair -> properties.put(pair[0], pair[1]));
        TckConfig config = TckConfig.read(key -> Optional.ofNullable(properties.get(key)));
        ObjectOutputStream replies = new ObjectOutputStream(out);
        replies.flush();
        TargetProcess process = new TargetProcess(Subject.of(config), replies);
        try {
            process.serve(new ObjectInputStream(System.in));
        } catch (EOFException parentIsDone) {
            process.engines.values().forEach(engine -> engine.engine().close());
        }
        Runtime.getRuntime().halt(0); // a backend's leftover thread must not keep the process
    }

    private void serve(ObjectInputStream calls) throws IOException, ClassNotFoundException {
        while (true) {
            Wire.Call call = (Wire.Call) calls.readObject();
            Thread.ofPlatform().name("weft-tck-call").start(() -> reply(call));
        }
    }

    private void reply(Wire.Call call) {
        Wire.Reply reply;
        try {
            reply = new Wire.Reply(call.id(), carryOut(call), null);
        } catch (InvocationTargetException thrown) {
            reply = new Wire.Reply(call.id(), null, thrown.getCause());
        } catch (ReflectiveOperationException | RuntimeException | LinkageError defect) {
            reply = new Wire.Reply(call.id(), null, defect);
        }
        try {
            synchronized (replies) {
                replies.writeObject(reply);
                replies.reset();
                replies.flush();
            }
        } catch (IOException parentIsGone) {
            Runtime.getRuntime().halt(1);
        }
    }

    private @Nullable Object carryOut(Wire.Call call) throws ReflectiveOperationException {
        if (call.engine() == 0) {
            int handle = handles.incrementAndGet();
            engines.put(handle, new EngineTarget(subject.open((EngineSpec)
                    call.arguments().getFirst())));
            return handle;
        }
        for (Method method : Target.class.getMethods()) {
            if (method.getName().equals(call.method())) {
                return method.invoke(
                        engines.get(call.engine()), call.arguments().toArray());
            }
        }
        throw new NoSuchMethodException("target has no method " + call.method());
    }
}
