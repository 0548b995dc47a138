// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.trial.TrialRun;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A folder of <a href="https://github.com/dsrhaslab/lazyfs">LazyFS</a>, which keeps what is written in a cache of its
 * own until it is forced, and forgets the rest when it is told to: a power failure. For one thread.
 */
final class LazyFs implements AutoCloseable {

    private static final long LIMIT_MS = 30_000;

    /** More than a site of a trial ever has: a full cache would let bytes through. */
    private static final String CACHE_SIZE = "512mb";

    private final Path mount;
    private final Path faults;
    private final Process program;
    private final BufferedReader done;

    /** Mounts it in the folder. */
    LazyFs(Path lazyfs, Path folder) throws IOException, InterruptedException {
        mount = Files.createDirectories(folder.resolve("mount"));
        Path root = Files.createDirectories(folder.resolve("root"));
        faults = folder.resolve("faults");
        Path finished = folder.resolve("finished");
        Path config = folder.resolve("lazyfs.toml");
        Files.writeString(
                config,
                """
                [faults]
                fifo_path="%s"
                fifo_path_completed="%s"
                [cache]
                apply_eviction=false
                [cache.simple]
                custom_size="%s"
                blocks_per_page=1
                [filesystem]
                log_all_operations=false
                logfile=""
                """
                        .formatted(faults, finished, CACHE_SIZE));
        Path log = folder.resolve("lazyfs.log");
        program = new ProcessBuilder(
                        lazyfs.toString(),
                        mount.toString(),
                        "--config-path",
                        config.toString(),
                        "-o",
                        "modules=subdir",
                        "-o",
                        "subdir=" + root,
                        "-f")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        TrialRun.await("LazyFS", LIMIT_MS, () -> {
            if (!program.isAlive()) {
                throw new AssertionError("LazyFS does not start: " + Files.readString(log));
            }
            return isMounted();
        });
        done = new BufferedReader(new InputStreamReader(Files.newInputStream(finished), StandardCharsets.UTF_8));
        requireToForget();
    }

    /** One that forgets nothing would show nothing. */
    private void requireToForget() throws IOException {
        Path file = mount.resolve("forgotten");
        Files.writeString(file, "not forced");
        loseUnforced();
        if (Files.size(file) != 0) {
            throw new AssertionError("LazyFS still has what was not forced: " + Files.readString(file));
        }
        Files.delete(file);
    }

    private boolean isMounted() throws IOException {
        return Files.readString(Path.of("/proc/self/mounts")).contains(" " + mount + " fuse");
    }

    /** What it keeps. */
    Path mount() {
        return mount;
    }

    /** Whatever was written and not forced is gone when this returns. Nobody may have a file of it open. */
    void loseUnforced() throws IOException {
        Files.writeString(faults, "lazyfs::clear-cache\n");
        String answer = done.readLine();
        if (!"finished::clear-cache".equals(answer)) {
            throw new IOException("LazyFS answers " + answer);
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        new ProcessBuilder("fusermount3", "-u", mount.toString())
                .inheritIO()
                .start()
                .waitFor();
        if (!program.waitFor(LIMIT_MS, TimeUnit.MILLISECONDS)) {
            program.destroyForcibly();
        }
        done.close();
    }
}
