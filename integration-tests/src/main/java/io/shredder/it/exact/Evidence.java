// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Keeps what two runs left that are not equal: their files, counters and logs.
 *
 * @param folder for all of it
 */
record Evidence(Path folder) {
    /** Keeps a pair; returns where. */
    Path keep(Pair pair, RunResult plain, RunResult incremental) throws IOException {
        Path kept = folder.resolve(pair.job() + "-" + pair.seed())
                .resolve(pair.step().replaceAll("[^\\w]+", "-"));
        keep(plain, kept.resolve("plain"));
        keep(incremental, kept.resolve("incremental"));
        Files.writeString(kept.resolve("pair.txt"), pair + "\n");
        return kept;
    }

    private static void keep(RunResult run, Path folder) throws IOException {
        FolderFiles.write(run.output(), folder.resolve("output"));
        FolderFiles.write(run.side(), folder.resolve("side"));
        Files.writeString(folder.resolve("counters.txt"), run.counters().users() + "\n");
        Files.writeString(
                folder.resolve("log.txt"),
                run.failure().orElse("it ended well") + "\n" + String.join("\n", run.messages()));
    }
}
