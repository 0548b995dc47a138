// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Several threads that do something at once. */
final class Together {

    private Together() {}

    /** What the thread of this number does. */
    interface Work {
        void run(int number) throws IOException;
    }

    /** Returns when all are done; the first that failed says so. */
    static void run(int threads, Work work) throws IOException {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        List<Future<?>> begun = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int number = i;
            begun.add(executor.submit(() -> {
                work.run(number);
                return null;
            }));
        }
        executor.shutdown();
        for (Future<?> each : begun) {
            try {
                each.get();
            } catch (ExecutionException e) {
                throw new IOException(e.getCause());
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
