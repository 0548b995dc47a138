// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PaceTest {

    private static final long RATE = 1_000_000;

    private final AtomicLong nowNs = new AtomicLong(-5_000_000_000L);

    private Pace pace(long rate) {
        return Pace.varying(() -> rate, nowNs::get, nowNs::addAndGet);
    }

    private double secondsFor(Runnable work) {
        long startNs = nowNs.get();
        work.run();
        return (nowNs.get() - startNs) / 1e9;
    }

    private static Runnable send(Pace pace, long pieces, long bytes) {
        return () -> {
            for (long i = 0; i < pieces; i++) {
                pace.take(bytes);
            }
        };
    }

    @Test
    void bytesGoAtThePace() {
        assertThat(secondsFor(send(pace(RATE), 100, 100_000))).isBetween(9.7, 10.0);
    }

    @Test
    void whatWasNotUsedIsMadeUpForOnlyALittle() {
        Pace pace = pace(RATE);
        nowNs.addAndGet(TimeUnit.HOURS.toNanos(1));
        assertThat(secondsFor(send(pace, 100, 100_000))).isBetween(9.7, 10.0);
    }

    @Test
    void twoPacesTogetherGoAtTheSlower() {
        Pace shared = pace(RATE);
        assertThat(secondsFor(send(shared.and(pace(4 * RATE)), 100, 100_000))).isBetween(9.7, 10.0);
        assertThat(secondsFor(send(pace(RATE / 2).and(shared), 100, 100_000))).isBetween(19.5, 20.0);
    }

    @Test
    void aRateThatChangesCountsAtOnceAlsoForWhoWaits() {
        AtomicLong rate = new AtomicLong(RATE);
        long changeNs = nowNs.get() + TimeUnit.SECONDS.toNanos(100);
        Pace pace = Pace.varying(rate::get, nowNs::get, waitNs -> {
            rate.set(nowNs.addAndGet(waitNs) < changeNs ? RATE : 10 * RATE);
        });
        // 100 s at the first rate, then 900 MB more at ten times it.
        assertThat(secondsFor(() -> pace.take(1_000_000_000))).isBetween(188.0, 192.0);
        rate.set(Pace.NO_LIMIT);
        assertThat(secondsFor(send(pace, 100, Long.MAX_VALUE / 200))).isZero();
        rate.set(10 * RATE);
        assertThat(secondsFor(send(pace, 100, 100_000))).isBetween(0.95, 1.01);
    }

    @Test
    void withoutAPaceNothingWaits() {
        Pace.unlimited().take(Long.MAX_VALUE);
        assertThat(secondsFor(() -> Pace.unlimited().and(pace(RATE)).take(1))).isLessThan(0.001);
    }

    @Test
    void anInterruptEndsTheWaitAndIsKept() {
        Thread.currentThread().interrupt();
        assertThat(secondsFor(send(pace(RATE), 100, 100_000))).isZero();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aPaceThatIsTooSlowIsRefused() {
        assertThatThrownBy(() -> Pace.of(1000)).hasMessageContaining("too slow: use at least 65536");
    }
}
