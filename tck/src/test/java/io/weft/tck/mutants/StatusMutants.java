package io.weft.tck.mutants;

import io.weft.api.AwaitResult;
import io.weft.api.ErrorCode;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import io.weft.tck.harness.EngineSpec;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** Transfers that do not end as they must, or say so wrongly. */
final class StatusMutants {
    private StatusMutants() {}

    static List<Mutant> all() {
        return List.of(
                Mutant.engine(
                        "ERR-3",
                        "a defect of the backend is called FABRIC",
                        "must be FAILED with INTERNAL",
                        Spoil.transfers((t, method, args) -> method.getName().equals("code")
                                        && t.code()
                                                .filter(c -> c == ErrorCode.INTERNAL)
                                                .isPresent()
                                ? Optional.of(ErrorCode.FABRIC)
                                : Spoil.go(t, method, args))),
                Mutant.engine(
                        "ST-1", "cancel changes what has ended", "a transfer that was ", (sound, method, args) -> {
                            Object result = Spoil.go(sound, method, args);
                            return result instanceof Transfer t ? new Turncoat(t).spoiled() : result;
                        }),
                Mutant.engine(
                        "ST-2", "callbacks run twice", "runs of two callbacks", Spoil.transfers((t, method, args) -> {
                            if (method.getName().equals("onCompletion")) {
                                Spoil.go(t, method, args);
                            }
                            return Spoil.go(t, method, args);
                        })),
                Mutant.engine(
                        "ST-3",
                        "failures have no text",
                        "has no text",
                        Spoil.transfers(
                                (t, method, args) -> method.getName().equals("text") ? "" : Spoil.go(t, method, args))),
                Mutant.engine(
                        "WT-1",
                        "await takes its time",
                        "took ",
                        Spoil.transfers((t, method, args) -> method.getName().equals("await")
                                ? t.await(((Duration) args[0]).plus(Duration.ofSeconds(6)))
                                : Spoil.go(t, method, args))),
                Mutant.engine(
                        "WT-2",
                        "awaitAll forgets the order",
                        "awaitAll named another failure",
                        (sound, method, args) -> method.getName().equals("awaitAll")
                                ? reversed(sound, args)
                                : Spoil.go(sound, method, args)),
                Mutant.engine("WT-3", "only one thread may await", "of 16 threads", Spoil.transfers(new OneWaiter())),
                Mutant.engine(
                        "WT-4",
                        "an interrupt is swallowed",
                        "must throw InterruptedException",
                        Spoil.transfers((t, method, args) -> {
                            try {
                                return Spoil.go(t, method, args);
                            } catch (InterruptedException swallowed) {
                                return t.state();
                            }
                        })),
                Mutant.engine("DL-1", "deadlines are forgotten", "its deadline was", (sound, method, args) -> {
                    for (int i = 0; i < args.length; i++) {
                        args[i] =
                                args[i] instanceof TransferOptions o ? o.withDeadline(Duration.ofMinutes(10)) : args[i];
                    }
                    return Spoil.go(sound, method, args);
                }),
                Mutant.engine(
                        "DL-3",
                        "cancel does nothing",
                        "must be terminal",
                        Spoil.transfers((t, method, args) ->
                                method.getName().equals("cancel") ? null : Spoil.go(t, method, args))),
                Mutant.spec(
                        "BP-1",
                        "queues have no bound",
                        "to a queue of 16",
                        spec -> spec.options().containsKey("weft.queue.transfers")
                                ? new EngineSpec(spec.name(), new LinkedHashMap<>(), spec.checked())
                                : spec),
                Mutant.engine("CON-3", "posts on a closed engine throw", "a post threw", (sound, method, args) -> {
                    Object result = Spoil.go(sound, method, args);
                    if (isTransferCall(method)
                            && result instanceof Transfer t
                            && t.code().filter(c -> c == ErrorCode.CLOSED).isPresent()) {
                        throw new IllegalStateException("closed");
                    }
                    return result;
                }));
    }

    private static AwaitResult reversed(TransferEngine sound, Object[] args) throws InterruptedException {
        List<Transfer> transfers = new ArrayList<>();
        ((List<?>) args[0]).forEach(t -> transfers.addFirst((Transfer) t));
        return sound.awaitAll(transfers, (Duration) args[1]);
    }

    /** A transfer that becomes CANCELLED when it is cancelled after its end. */
    private static final class Turncoat {
        private final Transfer sound;
        private volatile boolean turned;

        Turncoat(Transfer sound) {
            this.sound = sound;
        }

        Transfer spoiled() {
            return Spoil.around(Transfer.class, sound, (t, method, args) -> {
                if (method.getName().equals("cancel") && t.state().isTerminal()) {
                    turned = true;
                }
                return turned && method.getName().equals("state") ? TransferState.CANCELLED : Spoil.go(t, method, args);
            });
        }
    }

    /** Lets the first thread wait, and tells the others at once that nothing has ended. */
    private static final class OneWaiter implements Spoil.Around<Transfer> {
        private final AtomicBoolean waiting = new AtomicBoolean();

        @Override
        public Object call(Transfer t, Method method, Object[] args) throws Throwable {
            return method.getName().equals("await") && !waiting.compareAndSet(false, true)
                    ? TransferState.IN_PROGRESS
                    : Spoil.go(t, method, args);
        }
    }

    private static boolean isTransferCall(Method method) {
        return Arrays.asList("write", "read").contains(method.getName());
    }
}
