// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;

/**
 * Where a task and the test meet, in files of a folder. By a thread that no class of a job stands behind, and from a
 * jar that is named as one of Hadoop's: a job that wrote files by itself would run plainly.
 */
public final class FaultSite {

    private static final int POLL_MS = 20;

    private FaultSite() {}

    /** Says that a fault is reached, then waits until it is done; at {@code halt} ends the process, the first time. */
    public static void stop(File folder, String fault, Runnable alive) {
        CompletableFuture<Void> done = CompletableFuture.runAsync(() -> stop(folder, fault));
        while (!done.isDone()) {
            alive.run();
            sleep();
        }
        done.join();
    }

    private static void stop(File folder, String fault) {
        File done = new File(folder, fault + ".done");
        try {
            if (fault.equals("halt") && done.createNewFile()) {
                Runtime.getRuntime().halt(1);
            }
            while (!done.exists()) {
                new File(folder, fault + ".reached").createNewFile();
                sleep();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void sleep() {
        try {
            Thread.sleep(POLL_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
