// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RunLockTest {

    @TempDir
    private Path folder;

    @Test
    void aJobRunsOnceAtATimeWhateverProcessRunsIt() throws Exception {
        Process other = process("hold");
        CompletableFuture<RunLock> waits;
        try {
            // Behind what the log says of itself.
            assertThat(other.inputReader().lines().anyMatch("hold"::equals)).isTrue();
            assertThatThrownBy(() -> RunLock.take(folder, "nightly"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("'nightly' is running, in process " + other.pid());
            RunLock.take(folder, "weekly").close();
            waits = CompletableFuture.supplyAsync(this::await);
            Thread.sleep(1000);
            assertThat(waits).isNotDone();
        } finally {
            other.destroyForcibly().waitFor();
        }
        waits.get().close();
    }

    private RunLock await() {
        try {
            return RunLock.await(folder, "nightly");
        } catch (InterruptedException e) {
            throw new CompletionException(e);
        }
    }

    @Test
    void aJobOfThisProcessIsSeenByItAndByOthers() throws Exception {
        try (RunLock lock = RunLock.take(folder, "nightly")) {
            assertThatThrownBy(() -> RunLock.take(folder, "nightly"))
                    .hasMessageContaining(
                            "in process " + ProcessHandle.current().pid());
            Process other = process("hold");
            assertThat(new String(other.getInputStream().readAllBytes()))
                    .contains("'nightly' is running, in process "
                            + ProcessHandle.current().pid());
        }
        RunLock.take(folder, "nightly").close();
    }

    @Test
    void whereNothingCanBeWrittenJobsRunAllTheSame() throws Exception {
        Path none = Files.createFile(folder.resolve("file"));
        RunLock.take(none, "nightly").close();
    }

    private Process process(String what) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName(),
                        folder.toString(),
                        what)
                .start();
    }

    /** Another process that runs the job. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] arguments) throws InterruptedException {
            try (RunLock lock = RunLock.take(Path.of(arguments[0]), "nightly")) {
                System.out.println(arguments[1]);
                Thread.sleep(TimeUnit.MINUTES.toMillis(1));
            } catch (IOException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
