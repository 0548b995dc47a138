// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.AgentException;
import io.shredder.backup.server.trust.ScriptedRoute;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.UpkeepAnswer;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class VerifyRunTest {

    @Test
    void aVerificationKnowsAboutHowMuchIsLeftFromTheChunksThatThereAre() {
        VerifyRun.Progress progress = new VerifyRun.Progress(100);
        assertThat(progress.estimatedBytes()).isZero();
        progress.add(new Answer.Verified(1, 20, 600, List.of()));
        progress.add(new Answer.Verified(2, 5, 150, List.of()));
        assertThat(progress.doneBytes()).isEqualTo(750);
        assertThat(progress.estimatedBytes()).isEqualTo(3000);
        progress.add(new Answer.Verified(0, 100, 3000, List.of()));
        assertThat(progress.estimatedBytes()).as("more than expected").isEqualTo(3750);
        VerifyRun.Progress unknown = new VerifyRun.Progress(0);
        unknown.add(new Answer.Verified(0, 100, 3000, List.of()));
        assertThat(unknown.estimatedBytes()).isZero();
    }

    /** An agent that answers so, and nothing that is asked a million times has an end. */
    private static AgentClient agent(Supplier<Answer> answers) {
        AtomicInteger asked = new AtomicInteger();
        return AgentClient.over(new ScriptedRoute(new UUID(1, 2), request -> {
            if (asked.incrementAndGet() == 1_000_000) {
                throw new AssertionError("still asks");
            }
            return answers.get();
        }));
    }

    @Test
    void aVerificationThatStandsStillOrGoesBackIsRefused() {
        Answer still = new Answer.Verified(5, 0, 0, List.of("x"));
        assertThatThrownBy(() -> VerifyRun.of(agent(() -> still), 1))
                .isInstanceOf(AgentException.class)
                .hasMessageContaining("stands still at 5");
        Iterator<Answer> back = List.<Answer>of(
                        new Answer.Verified(5, 1, 1, List.of()), new Answer.Verified(4, 1, 1, List.of()))
                .iterator();
        assertThatThrownBy(() -> VerifyRun.of(agent(back::next), 1))
                .isInstanceOf(AgentException.class)
                .hasMessageContaining("goes back from 5 to 4");
    }

    @Test
    void ofProblemsWithoutEndOnlySomeAreKept() throws IOException {
        AtomicInteger number = new AtomicInteger();
        VerifyRun run = VerifyRun.of(
                agent(() -> {
                    int part = number.incrementAndGet();
                    return new Answer.Verified(
                            part == 500 ? 0 : part,
                            1,
                            1,
                            IntStream.range(0, 50)
                                    .mapToObj(i -> "x".repeat(2000) + part + "." + i)
                                    .toList());
                }),
                1);
        assertThat(run.problems().stream().mapToLong(String::length).sum()).isLessThan(17 << 20);
        assertThat(run.problems()).last().asString().contains("more lines");
    }

    @Test
    void aCollectionThatNeverGoesOnIsRefused() {
        Answer still = new UpkeepAnswer.Collected(false, 1, 1, 1, 1, 1, 1, List.of("x".repeat(2000)));
        assertThatThrownBy(() -> CollectionRun.of(agent(() -> still), 0, false))
                .isInstanceOf(AgentException.class)
                .hasMessageContaining("collection stands still");
    }
}
