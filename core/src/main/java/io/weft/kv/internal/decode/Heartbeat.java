package io.weft.kv.internal.decode;

import io.weft.kv.RankDirectory;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/** Asks registries whether they live and reports those that did not answer several times in a row. Safe from any thread. */
final class Heartbeat {
    private final RankDirectory directory;
    private final int maxFailures;
    private final BiConsumer<String, String> lost;
    private final Map<String, Integer> failures = new ConcurrentHashMap<>();

    Heartbeat(RankDirectory directory, int maxFailures, BiConsumer<String, String> lost) {
        this.directory = directory;
        this.maxFailures = maxFailures;
        this.lost = lost;
    }

    /** Asks one registry; blocks, bounded by the directory. */
    void ask(String registry) {
        Optional<String> found = directory.health(registry);
        if (found.isEmpty()) {
            failures.remove(registry);
            return;
        }
        int count = failures.merge(registry, 1, Integer::sum);
        if (count >= maxFailures) {
            failures.remove(registry);
            lost.accept(registry, found.get());
        }
    }

    /** Forgets registries that nobody uses any more. */
    void keepOnly(Collection<String> used) {
        failures.keySet().retainAll(used);
    }
}
