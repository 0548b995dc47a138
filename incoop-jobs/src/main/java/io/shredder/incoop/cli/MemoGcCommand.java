// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.cli;

import io.shredder.incoop.config.IncoopKeys;
import io.shredder.incoop.memo.MemoCollection;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code incoop gc}. */
@Command(
        name = "gc",
        description = "Remove memo files that recent runs do not use: see incoop.memo.keep.runs, incoop.memo.keep.time,"
                + " incoop.memo.grace and incoop.memo.max.bytes. Jobs may run meanwhile.",
        mixinStandardHelpOptions = true)
final class MemoGcCommand implements Callable<Integer> {

    @Mixin
    private ConfigurationOptions options = new ConfigurationOptions();

    @Option(names = "--dry-run", description = "Only say what would go.")
    private boolean dryRun;

    @Override
    public Integer call() throws IOException {
        Configuration conf = options.configuration();
        MemoCollection.Outcome outcome =
                MemoCollection.of(conf, IncoopKeys.memoDir(conf)).run(dryRun);
        System.out.println((dryRun ? "would be: " : "") + outcome.summary());
        return 0;
    }
}
