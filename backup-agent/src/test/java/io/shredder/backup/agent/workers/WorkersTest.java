// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.Uninterruptibles;
import io.shredder.backup.Samples;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that work for all sessions, and what is done ahead by them. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WorkersTest {

    private static final int PIECES = 200;

    private final Random random = new Random(Samples.seed());
    private final Workers workers = new Workers(4);

    @AfterEach
    void close() {
        workers.close();
    }

    @Test
    void asManyPiecesAsThereAreThreadsAreDoneAtOnceAndNoMore() throws Exception {
        for (int threads : new int[] {4, 2, 6}) {
            workers.limit(threads);
            assertThat(workers.count()).isEqualTo(threads);
            int most = mostAtOnce(threads);
            for (int tries = 0; most > threads && tries < 1000; tries++) {
                most = mostAtOnce(threads); // A thread that is too many may have been given a last piece.
            }
            assertThat(most).isEqualTo(threads);
        }
    }

    /** How many pieces were done at once, of which the first wait until there are so many. */
    private int mostAtOnce(int threads) throws IOException {
        CountDownLatch together = new CountDownLatch(threads);
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        workers.doAll(3 * threads, number -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            together.countDown();
            Uninterruptibles.awaitUninterruptibly(together);
            now.decrementAndGet();
        });
        return most.get();
    }

    @Test
    void whoeverWaitsForAllHearsOfTheFirstFailureWhenAllAreOver() {
        ConcurrentLinkedQueue<Integer> ended = new ConcurrentLinkedQueue<>();
        assertThatThrownBy(() -> workers.doAll(PIECES, number -> {
                    ended.add(number);
                    if (number % 7 == 5) {
                        throw new IOException("piece " + number);
                    }
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("piece 5");
        assertThat(ended).hasSize(PIECES);
    }

    /** Pieces of different length, one of which fails. */
    private Ahead<Integer> ahead(int failing, List<Integer> begun) {
        int[] next = {0};
        return new Ahead<>(workers, () -> {
            int number = next[0]++;
            if (number == PIECES) {
                return Optional.empty();
            }
            begun.add(number);
            long pauseNs = random.nextInt(3) == 0 ? random.nextInt(300_000) : 0;
            return Optional.of(stopped -> {
                LockSupport.parkNanos(pauseNs);
                if (number == failing) {
                    throw new IOException("piece " + number);
                }
                return number;
            });
        });
    }

    @Test
    void whatIsDoneAheadComesInOrderAndIsNeverFarAhead() throws IOException {
        List<Integer> begun = new ArrayList<>();
        try (Ahead<Integer> ahead = ahead(-1, begun)) {
            for (int i = 0; i < PIECES; i++) {
                assertThat(ahead.next()).contains(i);
                assertThat(begun).hasSizeLessThanOrEqualTo(i + 1 + 2 * workers.count());
            }
            assertThat(ahead.next()).isEmpty();
        }
    }

    @Test
    void aFailureIsHeardInItsTurn() throws IOException {
        try (Ahead<Integer> ahead = ahead(30, new ArrayList<>())) {
            for (int i = 0; i < 30; i++) {
                assertThat(ahead.next()).contains(i);
            }
            assertThatThrownBy(ahead::next).hasMessage("piece 30");
        }
    }

    @Test
    void whatGoesOnIsToldToStopAndWaitedFor() throws Exception {
        CountDownLatch begun = new CountDownLatch(workers.count());
        AtomicInteger ended = new AtomicInteger();
        int[] next = {0};
        Ahead<Integer> ahead = new Ahead<>(workers, () -> {
            boolean isFirst = next[0]++ == 0;
            return Optional.of(stopped -> {
                if (isFirst) {
                    return 0;
                }
                begun.countDown();
                while (!stopped.getAsBoolean()) {
                    Thread.onSpinWait();
                }
                return ended.incrementAndGet();
            });
        });
        assertThat(ahead.next()).contains(0);
        begun.await();
        ahead.close();
        assertThat(ended.get()).isGreaterThanOrEqualTo(workers.count());
    }
}
