// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SharedWorkTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void everyPartIsDoneOnceAndNoWorkerDoesTwoAtOnce(int workers) throws IOException {
        try (SharedWork work = new SharedWork(workers, "test")) {
            for (int parts : new int[] {0, 1, 3, 1000}) {
                AtomicIntegerArray done = new AtomicIntegerArray(parts);
                AtomicIntegerArray busy = new AtomicIntegerArray(workers);
                work.all(parts, (worker, part) -> {
                    assertThat(busy.incrementAndGet(worker)).isEqualTo(1);
                    done.incrementAndGet(part);
                    busy.decrementAndGet(worker);
                });
                for (int part = 0; part < parts; part++) {
                    assertThat(done.get(part)).isEqualTo(1);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void whatIsBegunIsDoneOrFails(int workers) throws Exception {
        try (SharedWork work = new SharedWork(workers, "test")) {
            assertThat(work.begin(() -> 7).get()).isEqualTo(7);
            Future<Object> failed = work.begin(() -> {
                throw new IOException("full");
            });
            assertThatThrownBy(failed::get).hasRootCauseMessage("full");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5})
    void asManyPartsAreDoneAtOnceAsThereAreWorkers(int workers) throws IOException {
        try (SharedWork work = new SharedWork(workers, "test")) {
            CountDownLatch together = new CountDownLatch(workers);
            work.all(workers, (worker, part) -> {
                together.countDown();
                try {
                    together.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            });
            assertThat(together.getCount()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void aPartThatFailsFailsAllOnceNobodyWorksAnyMore(int workers) {
        try (SharedWork work = new SharedWork(workers, "test")) {
            AtomicIntegerArray busy = new AtomicIntegerArray(1);
            assertThatThrownBy(() -> work.all(100, (worker, part) -> {
                        busy.incrementAndGet(0);
                        try {
                            if (part == 20) {
                                throw new IOException("part 20");
                            }
                        } finally {
                            busy.decrementAndGet(0);
                        }
                    }))
                    .isInstanceOf(IOException.class)
                    .hasMessage("part 20");
            assertThat(busy.get(0)).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void partsAreTakenInOrderOnTheCallersThreadOnceTheyAreDone(int workers) throws IOException {
        try (SharedWork work = new SharedWork(workers, "test")) {
            AtomicIntegerArray done = new AtomicIntegerArray(500);
            List<Integer> taken = new ArrayList<>();
            Thread caller = Thread.currentThread();
            work.inOrder(500, (worker, part) -> done.set(part, 1), part -> {
                assertThat(done.get(part)).isEqualTo(1);
                assertThat(Thread.currentThread()).isSameAs(caller);
                taken.add(part);
            });
            assertThat(taken).isEqualTo(IntStream.range(0, 500).boxed().toList());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void whatComesBeforeAPartThatFailsIsTakenAndNothingBehindIt(int workers) {
        try (SharedWork work = new SharedWork(workers, "test")) {
            List<Integer> taken = new ArrayList<>();
            assertThatThrownBy(() -> work.inOrder(
                            100,
                            (worker, part) -> {
                                if (part == 20) {
                                    throw new IOException("part 20");
                                }
                            },
                            taken::add))
                    .hasMessage("part 20");
            assertThat(taken).isEqualTo(IntStream.range(0, 20).boxed().toList());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void whoCannotTakeAPartFailsOnceNobodyWorksAnyMore(int workers) {
        try (SharedWork work = new SharedWork(workers, "test")) {
            AtomicIntegerArray busy = new AtomicIntegerArray(1);
            assertThatThrownBy(() -> work.inOrder(
                            100,
                            (worker, part) -> {
                                busy.incrementAndGet(0);
                                Thread.yield();
                                busy.decrementAndGet(0);
                            },
                            part -> {
                                throw new IOException("not taken");
                            }))
                    .hasMessage("not taken");
            assertThat(busy.get(0)).isZero();
        }
    }
}
