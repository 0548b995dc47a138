// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.job;

import com.google.common.util.concurrent.Uninterruptibles;
import io.shredder.backup.seal.keyfile.KeySource;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs one program of a hook to its end; what it prints goes to the log, line by line. No shell is between. */
final class HookProgram {

    private static final Logger LOG = LoggerFactory.getLogger(HookProgram.class);
    private static final int MAX_LINE_CHARS = 1000;
    /** A child that stays behind may hold the pipe open. */
    private static final Duration REST_OF_OUTPUT = Duration.ofSeconds(1);

    private HookProgram() {}

    /**
     * Runs it.
     *
     * @param command program and arguments; empty for none
     * @param variables added to its environment, which is this program's but for what opens the repository key
     * @throws IOException if it can't be started, fails, takes too long, or this thread is interrupted: then it has
     *     been ended, with all that it started
     */
    static void run(List<String> command, Map<String, String> variables, Duration timeLimit) throws IOException {
        run(command, variables, timeLimit, process -> process.waitFor(timeLimit.toMillis(), TimeUnit.MILLISECONDS));
    }

    /** The same for one that must come to its end, such as what thaws: an interrupt is kept until it has. */
    static void runThrough(List<String> command, Map<String, String> variables, Duration timeLimit) throws IOException {
        run(command, variables, timeLimit, process -> isThrough(process, timeLimit));
    }

    /** Waits for a program; whether it ended in time. */
    private interface Wait {
        boolean isThrough(Process process) throws InterruptedException;
    }

    private static boolean isThrough(Process process, Duration timeLimit) {
        try {
            Uninterruptibles.getUninterruptibly(process.onExit(), timeLimit);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e); // The end of a process never fails.
        }
    }

    private static void run(List<String> command, Map<String, String> variables, Duration timeLimit, Wait wait)
            throws IOException {
        if (command.isEmpty()) {
            return;
        }
        Process process = start(command, variables);
        Thread reader = new Thread(() -> log(process), "hook-output");
        reader.setDaemon(true);
        reader.start();
        try {
            if (!wait.isThrough(process)) {
                throw new IOException("hook " + command.get(0) + " ran longer than " + timeLimit.toSeconds() + " s");
            }
            Uninterruptibles.joinUninterruptibly(reader, REST_OF_OUTPUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while hook " + command.get(0) + " ran", e);
        } finally {
            end(process);
        }
        if (process.exitValue() != 0) {
            throw new IOException("hook " + command.get(0) + " failed with exit code " + process.exitValue());
        }
    }

    private static Process start(List<String> command, Map<String, String> variables) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        prepare(builder.environment(), variables);
        try {
            return builder.start();
        } catch (IOException e) {
            throw new IOException("can't start hook " + command.get(0) + ": " + e.getMessage(), e);
        }
    }

    /** Whatever a hook prints stands in the log, and what it starts may outlive the backup. */
    static void prepare(Map<String, String> environment, Map<String, String> variables) {
        environment.remove(KeySource.PASSPHRASE_VARIABLE);
        environment.putAll(variables);
    }

    private static void end(Process process) {
        if (process.isAlive()) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static void log(Process process) {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                LOG.info("hook: {}", line.length() > MAX_LINE_CHARS ? line.substring(0, MAX_LINE_CHARS) : line);
            }
        } catch (IOException e) {
            LOG.debug("the hook's output ended", e);
        }
    }
}
