package io.weft.engine.internal.control.socket;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 10, unit = TimeUnit.SECONDS)
class LaneTest {
    private final Queue<Runnable> threads = new ArrayDeque<>();
    private final List<String> ran = new ArrayList<>();

    private void runAll() {
        for (Runnable r = threads.poll(); r != null; r = threads.poll()) {
            r.run();
        }
    }

    @Test
    void isShutUntilOpened() {
        Lane lane = new Lane(threads::add, 1, 2);
        assertThat(lane.submit(() -> ran.add("a"))).isTrue();
        assertThat(lane.submit(() -> ran.add("b"))).isTrue();
        assertThat(lane.submit(() -> ran.add("c"))).isFalse();
        assertThat(lane.force(() -> ran.add("d"))).isTrue();
        assertThat(threads).isEmpty();
        lane.open();
        assertThat(threads).hasSize(1);
        runAll();
        assertThat(ran).containsExactly("a", "b", "d");
    }

    @Test
    void usesNoMoreThreadsThanItsWidth() {
        Lane lane = new Lane(threads::add, 2, 100);
        lane.open();
        for (int i = 0; i < 10; i++) {
            String name = "" + i;
            lane.submit(() -> ran.add(name));
        }
        assertThat(threads).hasSize(2);
        runAll();
        assertThat(ran).hasSize(10);
        lane.submit(() -> ran.add("again"));
        runAll();
        assertThat(ran).hasSize(11);
    }

    @Test
    void workDoesNotWaitBehindABlockedOneWhileThereIsWidth() {
        Lane lane = new Lane(threads::add, 2, 100);
        lane.open();
        lane.submit(() -> {
            // Stands for a blocked one: while it runs, the next gets a thread of its own.
            lane.submit(() -> ran.add("next"));
            assertThat(threads).hasSize(1);
        });
        threads.remove().run();
        assertThat(ran).containsExactly("next");
    }

    @Test
    void endRunsWhatIsQueuedAndDropDoesNot() {
        Lane lane = new Lane(threads::add, 1, 10);
        lane.submit(() -> ran.add("a"));
        lane.end();
        assertThat(lane.submit(() -> ran.add("b"))).isFalse();
        lane.open();
        runAll();
        assertThat(ran).containsExactly("a");

        Lane dropped = new Lane(threads::add, 1, 10);
        dropped.submit(() -> ran.add("c"));
        dropped.drop();
        dropped.open();
        runAll();
        assertThat(ran).containsExactly("a");
    }

    @Test
    void goesOnAfterADefect() {
        Lane lane = new Lane(threads::add, 1, 10);
        lane.submit(() -> {
            throw new IllegalStateException("as this test wants");
        });
        lane.submit(() -> ran.add("after"));
        lane.open();
        runAll();
        assertThat(ran).containsExactly("after");
    }
}
