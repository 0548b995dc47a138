// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PatienceTest {

    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration LONG = Duration.ofHours(1);

    private final CountDownLatch alive = new CountDownLatch(1);
    private final AtomicInteger signs = new AtomicInteger();

    private Patience patience(Duration answer, Duration pause) {
        return new Patience("keeper there", new Patience.Limits(answer, pause), () -> {
            signs.incrementAndGet();
            hang(alive);
            return true;
        });
    }

    /** As long as it is asked and not answered, whatever interrupts it. */
    private static boolean hang(CountDownLatch until) {
        boolean interrupted = false;
        while (true) {
            try {
                until.await();
                return interrupted;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
    }

    private static void awaitAnswer(Patience patience) {
        while (true) {
            try {
                assertThat(patience.ask(() -> 7)).isEqualTo(7);
                return;
            } catch (IOException e) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void whoeverHangsIsGivenUpAndRefusedAtOnceUntilASignOfLife() throws Exception {
        Patience patience = patience(SHORT, LONG);
        CountDownLatch never = new CountDownLatch(1);
        assertThatThrownBy(() -> patience.ask(() -> hang(never)))
                .isInstanceOf(IOException.class)
                .hasMessage("keeper there didn't answer within 0.05 s");
        for (int i = 0; i < 100; i++) {
            assertThatThrownBy(() -> patience.ask(() -> 7))
                    .hasMessageContaining("is not asked before it gives a sign of life: keeper there didn't answer");
        }
        alive.countDown();
        awaitAnswer(patience);
        assertThat(signs).hasValue(1);
        never.countDown();
    }

    @Test
    void afterAPauseItIsAskedForASignAgain() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        Patience patience = new Patience("keeper there", new Patience.Limits(LONG, SHORT), () -> {
            if (asked.incrementAndGet() < 3) {
                throw new IOException("no route");
            }
            return true;
        });
        assertThatThrownBy(() -> patience.ask(() -> {
                    throw new IOException("connection lost");
                }))
                .hasMessage("connection lost");
        awaitAnswer(patience);
        assertThat(asked).hasValue(3);
    }

    @Test
    void anAnswerThatSomethingIsNotThereIsASignOfLife() throws Exception {
        Patience patience = patience(LONG, LONG);
        assertThatThrownBy(() -> patience.ask(() -> {
                    throw new NoSuchFileException("x");
                }))
                .isInstanceOf(NoSuchFileException.class);
        assertThat(patience.ask(() -> 7)).isEqualTo(7);
        assertThat(signs).hasValue(0);
    }

    @Test
    void whatComesTooLateIsClosed() throws Exception {
        Patience patience = patience(SHORT, LONG);
        CountDownLatch late = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        assertThatThrownBy(() -> patience.ask(() -> {
                    hang(late);
                    return (Closeable) closed::countDown;
                }))
                .hasMessageContaining("didn't answer");
        late.countDown();
        closed.await();
        alive.countDown();
    }

    @Test
    void whatNeedsNoAnswerIsDoneWhenTheSilentPlaceComesBack() throws Exception {
        Patience patience = patience(SHORT, LONG);
        CountDownLatch never = new CountDownLatch(1);
        assertThatThrownBy(() -> patience.ask(() -> hang(never))).isInstanceOf(IOException.class);
        CountDownLatch done = new CountDownLatch(1);
        patience.let(() -> {
            hang(never);
            done.countDown();
            return true;
        });
        assertThat(done.getCount()).isEqualTo(1);
        never.countDown();
        done.await();
        alive.countDown();
    }

    @Test
    void whoeverIsInterruptedGetsTheAnswerAndStaysInterrupted() throws Exception {
        Patience patience = patience(LONG, LONG);
        Thread.currentThread().interrupt();
        assertThat(patience.ask(() -> 7)).isEqualTo(7);
        assertThat(Thread.interrupted()).isTrue();
    }
}
