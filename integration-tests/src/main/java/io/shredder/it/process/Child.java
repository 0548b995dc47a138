// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A started program. Owned by the {@link Children} that started it; safe for use from several threads. */
public final class Child {
    private static final int LOG_LINES_SHOWN = 15;

    private final Command command;
    private final Process process;

    Child(Command command, Process process) {
        this.command = command;
        this.process = process;
    }

    public String name() {
        return command.name();
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Where the program's output goes. */
    public Path log() {
        return command.log();
    }

    /** Waits for the program's end and returns its exit code. */
    public int waitFor() throws InterruptedException {
        return process.waitFor();
    }

    /** Waits for the program's end, for so long; returns whether it has ended. */
    public boolean waitFor(Duration longest) throws InterruptedException {
        return process.waitFor(longest.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Waits for the program's end; fails with the end of its log unless it exited with 0. */
    public void waitForSuccess() throws IOException, InterruptedException {
        int exitCode = waitFor();
        if (exitCode != 0) {
            throw new IOException(command.name() + " failed with exit code " + exitCode + "; the end of its log ("
                    + command.log() + "):\n" + logTail());
        }
    }

    /** The last lines of the log without Java's stack frames, indented; a note if it can't be read. */
    public String logTail() {
        try {
            // Logs may hold bytes that are no UTF-8, which readAllLines would refuse.
            List<String> lines = new String(Files.readAllBytes(command.log()), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("\tat "))
                    .toList();
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES_SHOWN), lines.size()))
                    .indent(2);
        } catch (IOException e) {
            return "  (no log: " + e.getMessage() + ")";
        }
    }

    /** Asks the program to end (SIGTERM) without waiting. */
    public void requestStop() {
        process.destroy();
    }

    /**
     * Asks the program to end and, if it has not within the grace period or the calling thread is interrupted, kills it
     * (SIGKILL).
     */
    public void stop(Duration grace) {
        requestStop();
        boolean ended = false;
        try {
            ended = process.waitFor(grace.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!ended) {
            kill();
        }
    }

    /** Ends the program with a signal no program can ignore and returns when it is gone. */
    public void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
