package io.weft.engine.internal.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.InboundTransfer;
import io.weft.api.Notification;
import io.weft.engine.internal.transfer.Callbacks;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class NotificationQueueTest {
    private static final Executor VIRTUAL = Thread::startVirtualThread;

    private final AtomicLong time = new AtomicLong();
    private final NotificationQueue queue = new NotificationQueue(time::get, 3, 1_000, new Callbacks(VIRTUAL, VIRTUAL));
    private final InboundEnds ends = new InboundEnds(time::get, 3, 1_000);

    private static Notification from(String peer, long id) {
        return new Notification(peer, id, 0, new byte[0]);
    }

    private static List<Long> ids(List<Notification> taken) {
        return taken.stream().map(Notification::transferId).toList();
    }

    @Test
    void handsOutInOrderOfArrival() {
        queue.add(from("p", 1));
        queue.add(from("q", 2));
        assertThat(ids(queue.take(1))).containsExactly(1L);
        assertThat(ids(queue.take(9))).containsExactly(2L);
        assertThat(queue.take(9)).isEmpty();
        assertThat(queue.dropped()).isZero();
    }

    @Test
    void dropsAndCountsTheOldestWhenFullOrOld() {
        for (long id = 1; id <= 5; id++) {
            queue.add(from("p", id));
        }
        assertThat(queue.dropped()).isEqualTo(2);
        time.set(1_001);
        queue.add(from("p", 6));
        assertThat(ids(queue.take(9))).containsExactly(6L);
        assertThat(queue.dropped()).isEqualTo(5);
    }

    @Test
    void listenerGetsWhatWasQueuedFirstAndOnePeersOneAtATime() throws InterruptedException {
        NotificationQueue large = new NotificationQueue(time::get, 10_000, 1_000, new Callbacks(VIRTUAL, VIRTUAL));
        List<Long> seen = new CopyOnWriteArrayList<>();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger together = new AtomicInteger();
        CountDownLatch all = new CountDownLatch(500);
        large.add(from("p", 0));
        large.listen(notification -> {
            together.accumulateAndGet(inside.incrementAndGet(), Math::max);
            seen.add(notification.transferId());
            inside.decrementAndGet();
            all.countDown();
            throw new IllegalStateException("on purpose");
        });
        List<Long> expected = new ArrayList<>(List.of(0L));
        for (long id = 1; id < 500; id++) {
            large.add(from("p", id));
            expected.add(id);
        }
        all.await();
        assertThat(seen).isEqualTo(expected);
        assertThat(together).hasValue(1);
    }

    @Test
    void stuckListenerCostsNotificationsAndNothingElse() throws InterruptedException {
        CountDownLatch release = new CountDownLatch(1);
        queue.listen(notification -> {
            try {
                release.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        for (long id = 0; id < 10; id++) {
            queue.add(from("p", id));
        }
        assertThat(queue.dropped()).isEqualTo(7);
        release.countDown();
    }

    @Test
    void eachEndIsTakenOnceAndKeptWithinBounds() {
        for (long id = 1; id <= 4; id++) {
            ends.add(new InboundTransfer("p", id, 0, ""));
            ends.add(new InboundTransfer("p", id, 7, "second"));
        }
        assertThat(ends.take("p", 1)).as("the oldest went").isEmpty();
        assertThat(ends.take("p", 2))
                .hasValueSatisfying(end -> assertThat(end.code()).isZero());
        assertThat(ends.take("p", 2)).isEmpty();
        assertThat(ends.take("q", 3)).isEmpty();
        time.set(1_001);
        assertThat(ends.take("p", 3)).as("too old").isEmpty();
    }
}
