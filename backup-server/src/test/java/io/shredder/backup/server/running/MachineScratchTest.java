// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.running;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineScratchTest {

    private static final int THREADS = 8;
    private static final int ROUNDS = 200;

    @TempDir
    private Path parent;

    /** The daemon's jobs share a folder for what they scratch. */
    @Test
    void noneTakesAwayWhatAnotherHasJustMade() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                all.add(threads.submit(() -> {
                    for (int round = 0; round < ROUNDS; round++) {
                        try (MachineScratch made = MachineScratch.make(parent, Optional.empty())) {
                            made.text("x", "mine");
                            assertThat(made.file("x")).hasContent("mine");
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(names()).isEmpty();
    }

    @Test
    void whatAKilledBackupLeftIsTakenAwayAndNothingElse() throws Exception {
        long dead = deadProcess();
        long alive = ProcessHandle.current().parent().orElseThrow().pid();
        leave("shredder-" + dead + "-1");
        leave("shredder-" + alive + "-2"); // Its lock has gone with the process that had the number before.
        leave(".shredder-" + dead + "-3");
        leave(".shredder-" + alive + "-4"); // Its owner is about to lock it.
        Files.createDirectory(parent.resolve("shredder-" + alive + "-5")); // As an older version made them.
        leave("others");
        try (MachineScratch made = MachineScratch.make(parent, Optional.empty())) {
            assertThat(MachineScratch.isLive(made.file("x").getParent())).isTrue();
            assertThat(names())
                    .containsExactlyInAnyOrder(
                            made.file("x").getParent().getFileName().toString(),
                            ".shredder-" + alive + "-4",
                            "shredder-" + alive + "-5",
                            "others");
        }
    }

    private void leave(String name) throws IOException {
        Files.createFile(Files.createDirectory(parent.resolve(name)).resolve("lock"));
    }

    private static long deadProcess() throws IOException, InterruptedException {
        Process process = new ProcessBuilder("true").start();
        process.waitFor();
        return process.pid();
    }

    private List<String> names() throws IOException {
        try (Stream<Path> all = Files.list(parent)) {
            return all.map(path -> path.getFileName().toString()).toList();
        }
    }
}
