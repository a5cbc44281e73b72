package io.weft.engine.internal.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class TurnTest {
    private static final Executor VIRTUAL = Thread::startVirtualThread;

    /** Counts its work; asks for another thread for as long as told to. */
    private static final class Counting extends Turn {
        private final AtomicBoolean inside = new AtomicBoolean();
        private int delivered;
        private int worked;
        private volatile int more;

        Counting(Executor relief) {
            super(relief);
        }

        Mail count() {
            return Mail.of(() -> {
                assertThat(inside.compareAndSet(false, true))
                        .as("alone in the turn")
                        .isTrue();
                delivered++;
                inside.set(false);
            });
        }

        @Override
        protected boolean work(boolean relieved) {
            worked++;
            return more > 0 && --more > 0;
        }
    }

    @Test
    void serialisesManySenders() throws InterruptedException {
        Counting turn = new Counting(VIRTUAL);
        List<Thread> senders = new ArrayList<>();
        for (int s = 0; s < 4; s++) {
            senders.add(Thread.startVirtualThread(() -> {
                for (int i = 0; i < 20_000; i++) {
                    turn.send(turn.count());
                }
            }));
        }
        for (Thread sender : senders) {
            sender.join();
        }
        AtomicReference<Integer> seen = new AtomicReference<>();
        CountDownLatch last = new CountDownLatch(1);
        turn.send(Mail.of(() -> {
            seen.set(turn.delivered);
            last.countDown();
        }));
        last.await();
        assertThat(seen).hasValue(80_000);
    }

    @Test
    void deliversInOrderOfSendingAlsoFromInside() {
        Counting turn = new Counting(VIRTUAL);
        List<String> order = new ArrayList<>();
        turn.send(Mail.of(() -> {
            order.add("first");
            turn.send(Mail.of(() -> order.add("inner")));
            order.add("still first");
        }));
        turn.send(Mail.of(() -> order.add("second")));
        assertThat(order).containsExactly("first", "still first", "inner", "second");
    }

    @Test
    void handsOverWhenItHasDoneEnough() throws InterruptedException {
        List<Runnable> handedOver = new ArrayList<>();
        Counting turn = new Counting(handedOver::add);
        turn.more = 3;
        turn.signal();
        assertThat(handedOver).hasSize(1);
        assertThat(turn.worked).isEqualTo(1);
        turn.send(turn.count()); // somebody has the turn, though no thread is in it now
        assertThat(turn.delivered).isZero();
        handedOver.removeFirst().run();
        handedOver.removeFirst().run();
        assertThat(turn.delivered).isEqualTo(1);
        assertThat(turn.worked).isEqualTo(3);
    }

    @Test
    void goesOnByItselfWhenNobodyRelievesIt() {
        Counting turn = new Counting(task -> {
            throw new RejectedExecutionException("closed");
        });
        turn.more = 5;
        turn.send(turn.count());
        assertThat(turn.worked).isEqualTo(5);
    }

    @Test
    void outlivesADefectiveMail() {
        Counting turn = new Counting(VIRTUAL);
        turn.send(Mail.of(() -> {
            throw new IllegalStateException("on purpose");
        }));
        turn.send(turn.count());
        assertThat(turn.delivered).isEqualTo(1);
    }

    @Test
    void isNotLostWithAnErrorOfItsHolder() {
        List<Runnable> handedOver = new ArrayList<>();
        Counting turn = new Counting(handedOver::add);
        assertThatThrownBy(() -> turn.send(Mail.of(() -> {
                    throw new StackOverflowError("on purpose");
                })))
                .isInstanceOf(StackOverflowError.class);
        turn.send(turn.count());
        handedOver.removeFirst().run();
        assertThat(turn.delivered).isEqualTo(1);
        turn.send(turn.count());
        assertThat(turn.delivered).isEqualTo(2);
    }

    @Test
    void keepsTheCallersInterruptForTheCaller() {
        Counting turn = new Counting(VIRTUAL);
        AtomicBoolean inside = new AtomicBoolean();
        Thread.currentThread().interrupt();
        turn.send(Mail.of(() -> inside.set(Thread.currentThread().isInterrupted())));
        assertThat(inside).isFalse();
        assertThat(Thread.interrupted()).isTrue();
    }
}
