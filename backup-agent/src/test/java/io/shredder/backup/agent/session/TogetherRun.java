// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Several threads that do the same at once. */
public final class TogetherRun<T> {

    private final List<Future<T>> begun = new ArrayList<>();

    /** What the thread of this number does. */
    public interface Work<T> {
        T run(int number) throws IOException;
    }

    private TogetherRun(int threads, Work<T> work) {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        for (int i = 0; i < threads; i++) {
            int number = i;
            begun.add(executor.submit(() -> work.run(number)));
        }
        executor.shutdown();
    }

    public static <T> TogetherRun<T> begin(int threads, Work<T> work) {
        return new TogetherRun<>(threads, work);
    }

    public static <T> List<T> all(int threads, Work<T> work) throws IOException {
        return begin(threads, work).end();
    }

    /** What came of each, when all are done; the first that failed says so. */
    public List<T> end() throws IOException {
        List<T> results = new ArrayList<>();
        for (Future<T> each : begun) {
            try {
                results.add(each.get());
            } catch (ExecutionException e) {
                if (e.getCause() instanceof Error failed) {
                    throw failed;
                }
                throw new IOException(e.getCause());
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return results;
    }
}
