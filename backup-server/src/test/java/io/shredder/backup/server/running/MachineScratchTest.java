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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
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

    /** Where everybody may make folders, somebody makes some for us. */
    @Test
    void nobodyElsesTrapsAreSteppedInto() throws Exception {
        String dead = "shredder-" + deadProcess() + "-";
        Files.createDirectory(parent.resolve(dead + "1"));
        Process pipe = new ProcessBuilder(
                        "mkfifo", parent.resolve(dead + "1").resolve("lock").toString())
                .start();
        assertThat(pipe.waitFor()).isZero();
        Path away = Files.createDirectory(parent.resolve("away"));
        Files.createFile(away.resolve("precious"));
        Files.createSymbolicLink(
                Files.createDirectory(parent.resolve(dead + "2")).resolve("lock"), away.resolve("none"));
        Files.createSymbolicLink(parent.resolve(dead + "3"), away);
        List<String> left = new ArrayList<>(names());
        if (System.getProperty("user.name").equals("root")) {
            leave(dead + "4");
            for (String each : List.of(dead + "4/lock", dead + "4")) {
                Files.setAttribute(parent.resolve(each), "unix:uid", 12345);
            }
            left.add(dead + "4");
        }
        MachineScratch.make(parent, Optional.empty()).close();
        assertThat(names()).containsExactlyInAnyOrderElementsOf(left);
        assertThat(away.resolve("precious")).exists();
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
