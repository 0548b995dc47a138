// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FairSharesTest {

    private static final int CORES = 16;

    private final FairShares shares = new FairShares(CORES);

    @Test
    void whoIsAloneHasAllCoresAndGetsThemBackWhenOthersLeave() {
        FairShares.Share first = shares.join(100);
        assertThat(first.threads()).isEqualTo(CORES);
        AtomicInteger told = new AtomicInteger();
        first.watch(told::incrementAndGet);
        try (FairShares.Share second = shares.join(100)) {
            assertThat(first.threads()).isEqualTo(CORES / 2 + FairShares.SPARE_THREADS);
            assertThat(second.threads()).isEqualTo(CORES / 2 + FairShares.SPARE_THREADS);
            try (FairShares.Share heavy = shares.join(600)) {
                assertThat(heavy.threads()).isEqualTo(12 + FairShares.SPARE_THREADS);
                assertThat(first.threads()).isEqualTo(2 + FairShares.SPARE_THREADS);
            }
        }
        assertThat(first.threads()).isEqualTo(CORES);
        assertThat(told).hasValue(4);
        assertThat(first.isAlone()).isTrue();
    }

    @Test
    void howeverManyThereAreEachHasAThreadAndTogetherTheyHaveFewMoreThanCores() {
        int threads = 0;
        FairShares.Share last = shares.join(1);
        for (int i = 1; i < 64; i++) {
            last = shares.join(1 + i * 15);
            threads += last.threads();
        }
        assertThat(last.threads()).isBetween(1, CORES + FairShares.SPARE_THREADS);
        assertThatThrownBy(() -> shares.join(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> shares.join(1001)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aThirdOfTheWeightHasAThirdOnItsWayToTheAgent() throws IOException {
        FairShares.Share heavy = shares.join(300);
        FairShares.Share light = shares.join(100);
        assertThat(departures(light, 1000)).isEqualTo(4);
        assertThat(departures(heavy, 1000)).isEqualTo(100);
    }

    /** How many hundreds of bytes may depart before somebody would have to wait, at most 100. */
    private static int departures(FairShares.Share share, long window) throws IOException {
        AtomicInteger gone = new AtomicInteger();
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        Thread thread = new Thread(() -> {
            begun.countDown();
            try {
                while (gone.get() < 100) {
                    share.depart(80, window);
                    gone.incrementAndGet();
                }
            } catch (IOException e) {
                interrupted.set(true);
            }
        });
        thread.start();
        Thread.State state = thread.getState();
        while (state != Thread.State.WAITING && state != Thread.State.TERMINATED) {
            Thread.onSpinWait();
            state = thread.getState();
        }
        if (state == Thread.State.WAITING) { // One that has just ended may be alive for a moment.
            int before = gone.get();
            share.arrived(80);
            while (gone.get() == before) {
                Thread.onSpinWait();
            }
            share.arrived(80);
            while (gone.get() == before + 1) {
                Thread.onSpinWait();
            }
            thread.interrupt();
            join(thread);
            assertThat(interrupted).isTrue();
            return before;
        }
        return gone.get();
    }

    private static void join(Thread thread) throws IOException {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Test
    void oneThatWaitsForTheAgentGoesOnWhenTheHeavierOnesHaveLeft() throws Exception {
        FairShares.Share light = shares.join(1);
        FairShares.Share heavy = shares.join(1000);
        light.depart(500, 1000);
        Thread waiting = new Thread(() -> {
            try {
                light.depart(500, 1000);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        waiting.start();
        while (waiting.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        heavy.close();
        waiting.join();
    }
}
