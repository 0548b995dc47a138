// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FlowWindowTest {

    private static final int ENOUGH_ANSWERS = 20;

    private static FlowWindow after(long... milliseconds) {
        FlowWindow window = new FlowWindow(FlowWindow.START_BYTES);
        for (int i = 0; i < ENOUGH_ANSWERS; i++) {
            window.answered(TimeUnit.MILLISECONDS.toNanos(milliseconds[i % milliseconds.length]));
        }
        return window;
    }

    @Test
    void aShortWayKeepsTheWindowThatItStartedWith() {
        assertThat(after(1).bytes()).isEqualTo(FlowWindow.START_BYTES);
    }

    @Test
    void aWindowThatStartsLongerStaysSoOnAShortWayAndGrowsToTheSameLength() throws InterruptedException {
        FlowWindow window = new FlowWindow(FlowWindow.FURTHER_START_BYTES);
        window.acquire(FlowWindow.FURTHER_START_BYTES);
        window.release(FlowWindow.FURTHER_START_BYTES);
        window.answered(TimeUnit.MILLISECONDS.toNanos(1));
        assertThat(window.bytes()).isEqualTo(FlowWindow.FURTHER_START_BYTES);
        FlowWindow longer = new FlowWindow(FlowWindow.FURTHER_START_BYTES);
        for (int i = 0; i < ENOUGH_ANSWERS; i++) {
            longer.answered(TimeUnit.MILLISECONDS.toNanos(150));
        }
        longer.acquire(FlowWindow.MAX_BYTES);
        assertThat(longer.bytes()).isEqualTo(FlowWindow.MAX_BYTES);
    }

    @Test
    void aLongWayGetsTheLargestWindow() {
        assertThat(after(150).bytes()).isEqualTo(FlowWindow.MAX_BYTES);
    }

    @Test
    void theWindowFollowsTheFastestAnswerForTheOthersHadToWait() {
        assertThat(after(200, 24, 90).bytes()).isEqualTo(24_000_000);
    }

    @Test
    void whatTheWindowGrewByCanBeAcquired() throws InterruptedException {
        FlowWindow window = after(150);
        CountDownLatch acquired = new CountDownLatch(1);
        Thread taker = new Thread(() -> {
            acquire(window, FlowWindow.MAX_BYTES);
            acquired.countDown();
        });
        taker.start();
        assertThat(acquired.await(20, TimeUnit.SECONDS)).isTrue();
        taker.join();
    }

    @Test
    void aFullWindowMakesTheNextWaitUntilThereIsRoom() throws InterruptedException {
        FlowWindow window = new FlowWindow(FlowWindow.START_BYTES);
        window.acquire(FlowWindow.START_BYTES);
        Thread taker = new Thread(() -> acquire(window, 1));
        taker.start();
        taker.join(50);
        assertThat(taker.isAlive()).isTrue();
        window.release(1);
        taker.join(20_000);
        assertThat(taker.isAlive()).isFalse();
    }

    @Test
    void anInterruptEndsTheWait() throws InterruptedException {
        FlowWindow window = new FlowWindow(FlowWindow.START_BYTES);
        window.acquire(FlowWindow.START_BYTES);
        Thread taker =
                new Thread(() -> assertThatThrownBy(() -> window.acquire(1)).isInstanceOf(InterruptedException.class));
        taker.start();
        taker.interrupt();
        taker.join(20_000);
        assertThat(taker.isAlive()).isFalse();
    }

    @Test
    void anAgentWithManyClientsAllowsLessUntilItHasFew() {
        FlowWindow window = after(1);
        window.allow(2 << 20);
        assertThat(window.bytes()).isEqualTo(2 << 20);
        window.allow(Integer.MAX_VALUE);
        assertThat(window.bytes()).isEqualTo(FlowWindow.START_BYTES);
    }

    @Test
    void whatALongWayHoldsIsNotTakenAwayForItWaitsNowhere() {
        FlowWindow window = after(150);
        window.allow(256 << 10);
        assertThat(window.bytes()).isEqualTo(FlowWindow.MAX_BYTES);
        FlowWindow shorter = after(5);
        shorter.allow(256 << 10);
        assertThat(shorter.bytes()).isEqualTo(5_000_000);
    }

    @Test
    void aWayThatWasTakenForLongWhileTheAgentWasBusyIsKnownForShortByOneQuickAnswer() {
        FlowWindow window = after(150);
        window.allow(1 << 20);
        window.answered(TimeUnit.MICROSECONDS.toNanos(300));
        assertThat(window.bytes()).isEqualTo(1 << 20);
    }

    @Test
    void aWindowThatShrinksHoldsBackWhatComesUntilEnoughIsAnswered() throws InterruptedException {
        FlowWindow window = after(1);
        window.acquire(4 << 20);
        window.acquire(1 << 20);
        window.allow(2 << 20);
        Thread taker = new Thread(() -> acquire(window, 1 << 20));
        taker.start();
        taker.join(50);
        assertThat(taker.isAlive()).isTrue();
        window.release(4 << 20);
        taker.join(20_000);
        assertThat(taker.isAlive()).isFalse();
    }

    @Test
    void whatIsLongerThanAnyWindowGoesByItself() throws InterruptedException {
        FlowWindow window = after(0);
        window.allow(1);
        window.acquire(FlowWindow.START_BYTES);
        Thread taker = new Thread(() -> acquire(window, 1000));
        taker.start();
        taker.join(50);
        assertThat(taker.isAlive()).isTrue();
        window.release(FlowWindow.START_BYTES);
        taker.join(20_000);
        assertThat(taker.isAlive()).isFalse();
    }

    @Test
    void aLongRequestIsNotOvertakenForEverByShortOnes() throws InterruptedException {
        FlowWindow window = new FlowWindow(FlowWindow.START_BYTES);
        window.acquire(FlowWindow.START_BYTES - 10);
        Thread waitsLong = new Thread(() -> acquire(window, 100));
        waitsLong.start();
        awaitWaiting(waitsLong);
        Thread waitsBehind = new Thread(() -> acquire(window, 1));
        waitsBehind.start();
        awaitWaiting(waitsBehind);
        window.release(90);
        waitsLong.join(20_000);
        assertThat(waitsLong.isAlive()).isFalse();
        assertThat(waitsBehind.isAlive()).isTrue();
        window.release(1);
        waitsBehind.join(20_000);
        assertThat(waitsBehind.isAlive()).isFalse();
    }

    @Test
    void whoGivesUpWaitingLeavesItsPlaceToTheNext() throws InterruptedException {
        FlowWindow window = new FlowWindow(FlowWindow.START_BYTES);
        window.acquire(FlowWindow.START_BYTES - 10);
        Thread givesUp = new Thread(
                () -> assertThatThrownBy(() -> window.acquire(100)).isInstanceOf(InterruptedException.class));
        givesUp.start();
        awaitWaiting(givesUp);
        Thread next = new Thread(() -> acquire(window, 10));
        next.start();
        awaitWaiting(next);
        givesUp.interrupt();
        next.join(20_000);
        assertThat(next.isAlive()).isFalse();
        givesUp.join(20_000);
    }

    private static void awaitWaiting(Thread thread) throws InterruptedException {
        while (thread.getState() != Thread.State.WAITING) {
            assertThat(thread.isAlive()).isTrue();
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private static void acquire(FlowWindow window, int bytes) {
        try {
            window.acquire(bytes);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
