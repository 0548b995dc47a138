// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.stage;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The threads of a backup. If a stage fails, all pipes fail with its error, so every other stage, and whoever puts into
 * the first pipe, ends with that error, too.
 */
public final class StageThreads implements AutoCloseable {

    private final List<Pipe<?>> pipes;
    private final List<Thread> threads = new ArrayList<>();

    /** Without threads yet. */
    public StageThreads(List<Pipe<?>> pipes) {
        this.pipes = pipes;
    }

    /** Has a thread of this name work for the stage. */
    public void start(String name, Stage stage) {
        Thread thread = new Thread(() -> run(stage), name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void run(Stage stage) {
        try {
            stage.run();
        } catch (IOException e) {
            fail(e);
        } catch (RuntimeException | Error e) {
            fail(new IOException("unexpected error, please report it: " + e, e));
        }
    }

    private void fail(IOException error) {
        pipes.forEach(pipe -> pipe.fail(error));
    }

    /** Waits until all stages have ended. Errors come out of the pipes. */
    public void join() throws IOException {
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Ends stages that still run. */
    @Override
    public void close() throws IOException {
        fail(new IOException("the backup was given up"));
        join();
    }
}
