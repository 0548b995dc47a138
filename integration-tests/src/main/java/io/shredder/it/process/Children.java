// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.process;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/**
 * Starts programs that never outlive this JVM, however it ends.
 *
 * <p>An orderly end goes through {@link #close}. For every other end the kernel helps: each program is started by
 * {@code setpriv --pdeathsig}, so the death of the thread that started it sends it SIGTERM. For that reason one thread,
 * which lives until {@link #close}, does all the starting. Safe for use from several threads.
 */
public final class Children implements AutoCloseable {
    private static final Duration GRACE = Duration.ofSeconds(20);

    private final Deque<Child> started = new ArrayDeque<>(); // guarded by this; youngest first
    private boolean closed; // guarded by this
    private final ExecutorService starter = Executors.newSingleThreadExecutor(task -> {
        var thread = new Thread(task, "child-starter");
        thread.setDaemon(true);
        return thread;
    });

    /** Starts a program. Its standard input is empty; its output is appended to the command's log. */
    public Child start(Command command) throws IOException, InterruptedException {
        try {
            return starter.submit(() -> launch(command)).get();
        } catch (ExecutionException e) {
            throw new IOException("can't start " + command.name() + ": " + e.getCause(), e.getCause());
        } catch (RejectedExecutionException e) {
            throw new IOException("can't start " + command.name() + ": the programs are being stopped", e);
        }
    }

    /** Runs a program to its end; fails with the end of its log unless it exits with 0. */
    public Child run(Command command) throws IOException, InterruptedException {
        Child child = start(command);
        child.waitForSuccess();
        return child;
    }

    private synchronized Child launch(Command command) throws IOException {
        if (closed) {
            throw new IOException("the programs are being stopped");
        }
        Files.createDirectories(requireNonNull(command.log().toAbsolutePath().getParent()));
        var words = new ArrayList<>(List.of("setpriv", "--pdeathsig", "TERM", "--"));
        words.addAll(command.words());
        var builder = new ProcessBuilder(words)
                .directory(command.folder().toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(command.log().toFile()));
        builder.environment().putAll(command.environment());
        var child = new Child(command, builder.start());
        started.removeIf(earlier -> !earlier.isAlive());
        started.push(child);
        return child;
    }

    /**
     * Stops everything still running, all within one grace period, and kills what is left then. Idempotent. A thread
     * that is interrupted meanwhile kills at once and stays interrupted.
     */
    @Override
    public void close() {
        List<Child> running;
        synchronized (this) {
            closed = true;
            running = List.copyOf(started);
            started.clear();
        }
        running.forEach(Child::requestStop);
        long deadlineNs = System.nanoTime() + GRACE.toNanos();
        for (Child child : running) {
            child.stop(Duration.ofNanos(Math.max(0, deadlineNs - System.nanoTime())));
        }
        starter.shutdown();
    }
}
