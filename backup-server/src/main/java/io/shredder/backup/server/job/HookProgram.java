// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.job;

import io.shredder.backup.seal.keyfile.KeySource;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs one program of a hook to its end; what it prints goes to the log, line by line. No shell is between. */
final class HookProgram {

    private static final Logger LOG = LoggerFactory.getLogger(HookProgram.class);
    private static final int MAX_LINE_CHARS = 1000;

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
        if (command.isEmpty()) {
            return;
        }
        Process process = start(command, variables);
        Thread reader = new Thread(() -> log(process), "hook-output");
        reader.setDaemon(true);
        reader.start();
        try {
            if (!process.waitFor(timeLimit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException("hook " + command.get(0) + " ran longer than " + timeLimit.toSeconds() + " s");
            }
            reader.join(TimeUnit.SECONDS.toMillis(1)); // a child that stays behind may hold the pipe open
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
