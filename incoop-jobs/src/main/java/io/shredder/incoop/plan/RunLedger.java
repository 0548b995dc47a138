// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.plan;

import io.shredder.incoop.config.IncoopKeys;
import io.shredder.incoop.memo.MemoCollection;
import io.shredder.incoop.memo.MemoKind;
import io.shredder.incoop.memo.RunRecord;
import io.shredder.incoop.memo.RunRecords;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the memo store what a job is about to use, which keeps it from being collected. */
final class RunLedger {

    private static final Logger LOG = LoggerFactory.getLogger(RunLedger.class);

    private RunLedger() {}

    /**
     * Keeps a record of the run, then collects the store if that is wanted. A store that takes no record is no reason
     * not to run: what is collected too early is computed again.
     *
     * @param plainBytes of the input that are mapped as in a plain run
     * @param found memo files that hold nodes and part files of this job
     */
    static void keep(Configuration conf, JobContext job, ReusePlan plan, long plainBytes, Set<String> found) {
        keep(conf, plan.memoRoot(), plan.job(), record(job, plan, plainBytes, found));
    }

    /**
     * The same of a record that is made already.
     *
     * @param memoRoot the memo store's folder
     * @param job the job's MapReduce id
     */
    static void keep(Configuration conf, String memoRoot, String job, RunRecord record) {
        try {
            Path root = new Path(memoRoot);
            new RunRecords(conf, root).add(job, record);
            if (conf.getBoolean(IncoopKeys.MEMO_COLLECT, false)) {
                LOG.info("incoop: {}", MemoCollection.of(conf, root).run(false).summary());
            }
        } catch (IOException e) {
            LOG.warn("incoop: the memo store takes no record of this run: {}", e.getMessage());
        }
    }

    private static RunRecord record(JobContext job, ReusePlan plan, long plainBytes, Set<String> found) {
        Set<String> files = new HashSet<>(found);
        for (int partition = 0; partition < job.getNumReduceTasks(); partition++) {
            files.add(MemoKind.NODES.fileName(plan.job(), partition));
            files.add(MemoKind.PARTS.fileName(plan.job(), partition));
        }
        long bytes = plainBytes;
        long reusedBytes = 0;
        for (ReusePlan.Source source : plan.sources()) {
            files.add(source.memoFile());
            source.kept().forEach(kept -> files.add(kept.ref().file()));
            bytes += source.chunk().length();
            reusedBytes += source.mayBeReused() ? source.chunk().length() : 0;
        }
        return new RunRecord(
                job.getJobName(),
                plan.identity().toString(),
                plan.sources().size(),
                plan.sources().stream().filter(ReusePlan.Source::mayBeReused).count(),
                bytes,
                reusedBytes,
                plan.plainFiles(),
                files);
    }
}
