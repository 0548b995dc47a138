// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PipeTest {

    @Test
    void itemsComeOutInOrderAndTheEndAfterThem() throws IOException {
        Pipe<Integer> pipe = new Pipe<>(3);
        pipe.put(1);
        pipe.put(2);
        pipe.close();
        assertThat(pipe.take()).contains(1);
        assertThat(pipe.take()).contains(2);
        assertThat(pipe.take()).isEmpty();
        assertThat(pipe.take()).isEmpty();
        assertThatThrownBy(() -> pipe.put(3)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void itNeverHoldsMoreThanItsCapacity() throws Exception {
        Pipe<Integer> pipe = new Pipe<>(2);
        AtomicInteger put = new AtomicInteger();
        CompletableFuture<Void> filler = CompletableFuture.runAsync(() -> {
            try {
                for (int i = 0; i < 1000; i++) {
                    pipe.put(i);
                    put.set(i + 1);
                }
                pipe.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        List<Integer> taken = new ArrayList<>();
        for (Optional<Integer> item = pipe.take(); item.isPresent(); item = pipe.take()) {
            taken.add(item.get());
            assertThat(put.get()).isLessThanOrEqualTo(taken.size() + 2);
        }
        filler.get(10, TimeUnit.SECONDS);
        assertThat(taken).hasSize(1000).isSorted();
    }

    @Test
    void aFailureEndsWhoeverWaitsOnEitherSide() {
        Pipe<Integer> empty = new Pipe<>(1);
        CompletableFuture<Void> taker = CompletableFuture.runAsync(() -> unchecked(empty::take));
        empty.fail(new IOException("first"));
        empty.fail(new IOException("second"));
        assertThatThrownBy(() -> taker.get(10, TimeUnit.SECONDS)).hasRootCauseMessage("first");
        assertThatThrownBy(() -> empty.put(1)).hasMessage("first");
        assertThatThrownBy(empty::throwIfFailed).hasMessage("first");
    }

    @Test
    void whoMayNotTakeLeavesItToOthersAndSeesTheEnd() throws Exception {
        AtomicBoolean may = new AtomicBoolean();
        Pipe<Integer> pipe = new Pipe<>(4);
        List<Integer> taken = Collections.synchronizedList(new ArrayList<>());
        CompletableFuture<Void> second = CompletableFuture.runAsync(() -> unchecked(() -> {
            for (Optional<Integer> item = pipe.take(may::get); item.isPresent(); item = pipe.take(may::get)) {
                taken.add(item.get());
            }
            return taken;
        }));
        pipe.put(1);
        assertThat(pipe.take()).contains(1);
        pipe.put(2);
        pipe.put(3);
        may.set(true);
        pipe.recheck();
        pipe.close();
        second.get(10, TimeUnit.SECONDS);
        assertThat(taken).containsExactly(2, 3);

        may.set(false);
        CompletableFuture<Void> third = CompletableFuture.runAsync(() -> unchecked(() -> pipe.take(may::get)));
        third.get(10, TimeUnit.SECONDS);
    }

    @Test
    void allIsTakenThoughOthersMayTakeNowAndThen() throws Exception {
        AtomicInteger most = new AtomicInteger(1);
        Pipe<Integer> pipe = new Pipe<>(2);
        List<Integer> taken = Collections.synchronizedList(new ArrayList<>());
        List<CompletableFuture<Void>> takers = new ArrayList<>();
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            for (int i = 0; i < 8; i++) {
                int number = i;
                takers.add(CompletableFuture.runAsync(
                        () -> unchecked(() -> {
                            for (Optional<Integer> item = pipe.take(() -> number < most.get());
                                    item.isPresent();
                                    item = pipe.take(() -> number < most.get())) {
                                taken.add(item.get());
                            }
                            return taken;
                        }),
                        threads));
            }
            takers.add(CompletableFuture.runAsync(
                    () -> unchecked(() -> {
                        for (int i = 0; i < 20_000; i++) {
                            pipe.put(i);
                            if (i % 7 == 0) {
                                most.set(1 + i % 5);
                                pipe.recheck();
                            }
                        }
                        pipe.close();
                        return pipe;
                    }),
                    threads));
            CompletableFuture.allOf(takers.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
        } finally {
            threads.shutdownNow();
        }
        assertThat(taken).hasSize(20_000).doesNotHaveDuplicates();
    }

    @Test
    void itsCapacityMayGrow() throws Exception {
        AtomicInteger capacity = new AtomicInteger(1);
        Pipe<Integer> pipe = new Pipe<>(capacity::get);
        pipe.put(1);
        CompletableFuture<Void> filler = CompletableFuture.runAsync(() -> unchecked(() -> {
            pipe.put(2);
            return pipe;
        }));
        capacity.set(2);
        pipe.recheck();
        filler.get(10, TimeUnit.SECONDS);
        assertThat(pipe.take()).contains(1);
        assertThat(pipe.take()).contains(2);
    }

    private interface Call {
        Object run() throws IOException;
    }

    private static void unchecked(Call call) {
        try {
            call.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
