// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever waits for a step that fails, however, does not wait for ever. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BackgroundWorkTest {

    private final AtomicInteger runs = new AtomicInteger();

    private void failOnce() {
        if (runs.incrementAndGet() == 1) {
            throw new OutOfMemoryError("no room for a table");
        }
    }

    @Test
    void aStepWithoutMemoryFailsAndIsDoneWhenItIsAskedForAgain() throws IOException {
        BackgroundWork work = new BackgroundWork("merge", this::failOnce, task -> new Thread(task).start());
        work.wake();
        work.awaitIdle();
        assertThat(work.failure()).isInstanceOf(OutOfMemoryError.class);
        work.wake();
        work.awaitIdle();
        assertThat(work.failure()).isNull();
        assertThat(runs).hasValue(2);
    }

    @Test
    void aStepWithoutAThreadFailsAndIsDoneWhenItIsAskedForAgain() throws IOException {
        AtomicInteger threads = new AtomicInteger();
        Executor executor = task -> {
            if (threads.incrementAndGet() == 1) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            new Thread(task).start();
        };
        BackgroundWork work = new BackgroundWork("merge", runs::incrementAndGet, executor);
        assertThatThrownBy(work::wake).isInstanceOf(OutOfMemoryError.class);
        work.awaitIdle();
        work.wake();
        work.awaitIdle();
        assertThat(runs).hasValue(1);
    }
}
