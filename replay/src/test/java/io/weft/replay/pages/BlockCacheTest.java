package io.weft.replay.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BlockCacheTest {
    private final BlockCache cache = new BlockCache(12, 2);

    @Test
    void publishedBlocksAreHitAsAPrefix() {
        cache.publish(lease(1, 2, 3));
        Lease next = lease(1, 2, 4);
        assertThat(next.hits()).isEqualTo(2);
        assertThat(next.missing()).extracting(Block::hash).containsExactly(4L);
    }

    @Test
    void aHitEndsAtTheFirstMissingBlock() {
        cache.publish(lease(1, 3));
        assertThat(lease(1, 2, 3).hits()).isEqualTo(1);
    }

    @Test
    void discardedBlocksAreNotHit() {
        cache.discard(lease(1, 2));
        assertThat(lease(1, 2).hits()).isZero();
        assertThat(cache.available()).isEqualTo(8);
    }

    @Test
    void theEldestIdleBlockIsEvictedFirst() {
        cache.publish(lease(1, 2, 3));
        cache.publish(lease(4, 5, 6));
        cache.publish(lease(7));
        assertThat(lease(2).hits()).as("2 is younger than 1").isEqualTo(1);
        assertThat(cache.tryLease(new long[] {1}).orElseThrow().hits()).isZero();
    }

    @Test
    void leasedPagesAreNeverHandedOutTwice() {
        Lease first = lease(1, 2, 3, 4);
        assertThat(cache.tryLease(new long[] {5, 6, 7})).isEmpty();
        assertThat(cache.available()).isEqualTo(4);
        cache.discard(first);
        assertThat(cache.tryLease(new long[] {5, 6, 7})).isPresent();
    }

    @Test
    void quarantinedPagesStayOut() {
        cache.quarantine(lease(1, 2, 3));
        assertThat(cache.available()).isEqualTo(6);
        assertThat(cache.canHold(4)).isFalse();
        assertThat(cache.canHold(3)).isTrue();
    }

    @Test
    void invalidationForgetsHitsButNotLeases() {
        Lease open = lease(1, 2);
        cache.publish(lease(3));
        cache.invalidate();
        assertThat(lease(3).hits()).isZero();
        cache.publish(open);
        assertThat(cache.tryLease(new long[] {1}).orElseThrow().hits())
                .as("a lease from before the invalidation publishes nothing")
                .isZero();
    }

    @Test
    void randomUseNeverSharesAPageOrLosesOne() {
        long seed = Long.getLong("weft.test.seed", System.nanoTime());
        Random random = new Random(seed);
        List<Lease> open = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            if (open.size() < 3 && random.nextBoolean()) {
                long[] hashes =
                        random.longs(1 + random.nextInt(3), 0, 9).distinct().toArray();
                cache.tryLease(hashes).ifPresent(open::add);
            } else if (!open.isEmpty()) {
                Lease lease = open.remove(random.nextInt(open.size()));
                switch (random.nextInt(20)) {
                    case 0 -> {
                        cache.invalidate();
                        cache.discard(lease);
                    }
                    case 1, 2, 3 -> cache.discard(lease);
                    default -> cache.publish(lease);
                }
            }
            Set<Integer> missing = new HashSet<>();
            for (Lease lease : open) {
                for (int page : Lease.pages(lease.missing())) {
                    assertThat(missing.add(page))
                            .as("page %d leased once, seed %d", page, seed)
                            .isTrue();
                }
            }
        }
        open.forEach(cache::discard);
        assertThat(cache.available()).as("pages at rest, seed %d", seed).isEqualTo(12);
    }

    private Lease lease(long... hashes) {
        return cache.tryLease(hashes).orElseThrow();
    }
}
