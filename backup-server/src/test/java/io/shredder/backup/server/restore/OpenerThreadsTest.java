// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.restore;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.server.stage.Cores;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OpenerThreadsTest {

    private static final Cores CORES = new Cores(3);

    private final Semaphore begun = new Semaphore(0);
    private final Semaphore mayEnd = new Semaphore(0);

    private void task() {
        begun.release();
        mayEnd.acquireUninterruptibly();
    }

    /** Waits for so many tasks to begin, and that no other does. */
    private void expectRunning(int count) throws InterruptedException {
        assertThat(begun.tryAcquire(count, 30, TimeUnit.SECONDS)).isTrue();
        assertThat(begun.tryAcquire(100, TimeUnit.MILLISECONDS)).isFalse();
    }

    @Test
    void asManyRunAsSuitsThoseWhoSleep() throws InterruptedException {
        int awake = CORES.opening(false);
        int more = CORES.opening(true);
        try (OpenerThreads threads = new OpenerThreads(CORES, false)) {
            for (int i = 0; i < 8 * more; i++) {
                threads.execute(this::task);
            }
            expectRunning(awake);

            threads.someSleep(true);
            expectRunning(more - awake);

            threads.someSleep(false);
            mayEnd.release(more);
            expectRunning(awake);
            mayEnd.release(8 * more);
        }
    }

    @Test
    void closingWaitsForWhatRunsAndRunsNothingElse() throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(CORES.opening(true));
        OpenerThreads threads = new OpenerThreads(CORES, true);
        for (int i = 0; i < 100; i++) {
            threads.execute(() -> {
                task();
                ended.countDown();
            });
        }
        expectRunning(CORES.opening(true));
        Thread closing = new Thread(threads::close);
        closing.start();
        while (closing.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        mayEnd.release(100);
        closing.join();
        assertThat(ended.getCount()).isZero();
        assertThat(begun.tryAcquire(100, TimeUnit.MILLISECONDS)).isFalse();
    }
}
