// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.stage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FairTurnsTest {

    private final List<String> order = Collections.synchronizedList(new ArrayList<>());
    private final List<Thread> threads = new ArrayList<>();

    /** Asks for a turn on a thread of its own; returns once it waits. */
    private Thread ask(FairTurns turns, FairTurns.Line line, String name, long bytes) {
        int before = turns.waiting();
        Thread thread = new Thread(() -> {
            try {
                line.turn(bytes, () -> order.add(name));
            } catch (IOException e) {
                order.add("no " + name);
            }
        });
        thread.start();
        threads.add(thread);
        while (turns.waiting() == before) {
            Thread.onSpinWait();
        }
        return thread;
    }

    /** Has somebody else's turn last while all of these ask, and returns once all have had theirs. */
    private void whileOneLasts(FairTurns turns, Runnable asking) throws IOException, InterruptedException {
        turns.line(1).turn(0, () -> {
            asking.run();
            return true;
        });
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private long count(String name, int of) {
        return order.stream().limit(of).filter(name::equals).count();
    }

    @Test
    void thriceTheWeightHasThriceTheTurnsAllAlong() throws Exception {
        FairTurns turns = new FairTurns(1, 0);
        FairTurns.Line heavy = turns.line(300);
        FairTurns.Line light = turns.line(100);
        whileOneLasts(turns, () -> {
            for (int i = 0; i < 20; i++) {
                ask(turns, light, "light", 1000);
            }
            for (int i = 0; i < 60; i++) {
                ask(turns, heavy, "heavy", 1000);
            }
        });
        assertThat(order).hasSize(80);
        for (int turn = 4; turn <= 80; turn++) {
            assertThat(count("heavy", turn)).as("of %d", turn).isBetween(turn * 3L / 4 - 1, turn * 3L / 4 + 2);
        }
    }

    @Test
    void oneWeightHasAsManyBytesHoweverLongItsTurnsAre() throws Exception {
        FairTurns turns = new FairTurns(1, 0);
        FairTurns.Line longOnes = turns.line(100);
        FairTurns.Line shortOnes = turns.line(100);
        whileOneLasts(turns, () -> {
            for (int i = 0; i < 10; i++) {
                ask(turns, longOnes, "long", 4000);
            }
            for (int i = 0; i < 40; i++) {
                ask(turns, shortOnes, "short", 1000);
            }
        });
        for (int turn = 5; turn <= 50; turn += 5) {
            assertThat(4 * count("long", turn)).isBetween(count("short", turn) - 4, count("short", turn) + 4);
        }
    }

    @Test
    void whoComesLaterMakesUpForNothingAndWaitsForNobodysBacklog() throws Exception {
        FairTurns turns = new FairTurns(1, 0);
        FairTurns.Line early = turns.line(1000);
        for (int i = 0; i < 5000; i++) {
            early.turn(1000, () -> true);
        }
        FairTurns.Line late = turns.line(1);
        whileOneLasts(turns, () -> {
            for (int i = 0; i < 30; i++) {
                ask(turns, early, "early", 1);
            }
            ask(turns, late, "late", 1000);
            ask(turns, late, "late", 1000);
        });
        assertThat(count("late", 2)).as("the lightest comes when it joins").isEqualTo(1);
        assertThat(count("late", 31)).as("and then when it is due").isEqualTo(1);
        assertThat(order).hasSize(32);
    }

    @Test
    void thereAreAsManyTurnsAtOnceAsWereSaid() throws Exception {
        assertAtOnce(3, new FairTurns(3, 0));
    }

    @Test
    void turnsThatAreGivenAheadAreBoundedAsWell() throws Exception {
        assertAtOnce(5, new FairTurns(3, 2));
    }

    private void assertAtOnce(int most, FairTurns turns) throws InterruptedException {
        FairTurns.Line line = turns.line(1);
        AtomicInteger atOnce = new AtomicInteger();
        CountDownLatch three = new CountDownLatch(3);
        for (int i = 0; i < 50; i++) {
            Thread thread = new Thread(() -> {
                try {
                    line.turn(1, () -> {
                        assertThat(atOnce.incrementAndGet()).isLessThanOrEqualTo(most);
                        three.countDown();
                        Thread.yield();
                        atOnce.decrementAndGet();
                        return order.add("done");
                    });
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            thread.start();
            threads.add(thread);
        }
        three.await();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(order).hasSize(50);
    }

    @Test
    void whoIsInterruptedLeavesAndWorkThatFailsEndsItsTurn() throws Exception {
        FairTurns turns = new FairTurns(1, 0);
        FairTurns.Line line = turns.line(1);
        whileOneLasts(turns, () -> {
            Thread first = ask(turns, line, "first", 1);
            ask(turns, line, "second", 1);
            first.interrupt();
            while (turns.waiting() == 2) {
                Thread.onSpinWait();
            }
        });
        assertThat(order).containsExactlyInAnyOrder("no first", "second");
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> line.turn(1, () -> {
                    throw new IOException("damaged");
                }))
                .hasMessage("damaged");
        assertThat(line.turn(1, () -> "next")).isEqualTo("next");
    }
}
