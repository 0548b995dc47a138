// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.incoop.config.IncoopKeys;
import io.shredder.incoop.memo.StoreStats;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code incoop stats}. */
@Command(
        name = "stats",
        description = "Show what the memo store holds for each job, how often that was used and what it has spared.",
        mixinStandardHelpOptions = true)
final class MemoStatsCommand implements Callable<Integer> {

    @Mixin
    private ConfigurationOptions options = new ConfigurationOptions();

    @Option(names = "--json", description = "Print one line of JSON.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        Configuration conf = options.configuration();
        StoreStats stats = StoreStats.of(conf, IncoopKeys.memoDir(conf));
        if (json) {
            System.out.println(new ObjectMapper().writeValueAsString(stats));
            return 0;
        }
        stats.jobs().forEach(job -> System.out.println(line(job)));
        System.out.println(String.format(
                Locale.ROOT,
                "all: %d memo files, %d bytes, of these %d that no run on record uses",
                stats.memoFiles(),
                stats.bytes(),
                stats.unusedBytes()));
        return 0;
    }

    private static String line(StoreStats.JobUse job) {
        return String.format(
                Locale.ROOT,
                "%s: %d runs of %d identities, the last at %s; %d of %d chunks reused, %d of %d input bytes not mapped, %d"
                        + " files mapped plainly;"
                        + " %d memo files, %d entries, %d bytes",
                job.job(),
                job.runs(),
                job.identities(),
                Instant.ofEpochMilli(job.lastRunMs()).truncatedTo(ChronoUnit.SECONDS),
                job.reusedChunks(),
                job.chunks(),
                job.sparedBytes(),
                job.inputBytes(),
                job.plainFiles(),
                job.memoFiles(),
                job.entries(),
                job.bytes());
    }
}
