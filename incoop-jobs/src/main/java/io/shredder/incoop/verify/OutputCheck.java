// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.verify;

import io.shredder.incoop.config.IncoopKeys;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/** Compares a job's output with that of its twin, which has run before it. */
final class OutputCheck implements JobCheck {

    private final JobConf job;
    private final TwinJob twin;
    private final String name;

    private OutputCheck(JobConf job, TwinJob twin, String name) throws IOException {
        this.job = job;
        this.twin = twin;
        this.name = name;
        try {
            twin.run(name);
        } catch (IOException | RuntimeException e) {
            twin.delete();
            throw e;
        }
    }

    /** The twin runs plainly. */
    static OutputCheck plain(JobConf job, String plainFramework) throws IOException {
        TwinJob twin = new TwinJob(job);
        twin.conf().set(MRConfig.FRAMEWORK_NAME, plainFramework);
        return new OutputCheck(job, twin, "plain");
    }

    /** The twin is incremental, too, and finds an empty memo store. */
    static OutputCheck cold(JobConf job) throws IOException {
        TwinJob twin = new TwinJob(job);
        twin.conf().set(IncoopKeys.MEMO_DIR, twin.memo().toString());
        return new OutputCheck(job, twin, "cold");
    }

    @Override
    public void submitting(JobID id) {
        // The twin has run already.
    }

    @Override
    public Finding compare(JobID id) throws IOException {
        Path output = new Path(job.get(FileOutputFormat.OUTDIR));
        OutputComparison comparison = new OutputComparison(output, twin.output(), job);
        Optional<String> difference = comparison.firstDifference();
        if (difference.isPresent()) {
            return new Finding(
                    Finding.Verdict.DIFFERENT, id + " differs from its " + name + " run: " + difference.get());
        }
        String what = comparison.files() + " files, " + comparison.bytes() + " bytes, the same as those of its " + name
                + " run";
        return SampleCheck.isPlain(job)
                ? new Finding(Finding.Verdict.PLAIN, id + " ran plainly: " + what)
                : new Finding(Finding.Verdict.EQUAL, id + ": " + what);
    }

    @Override
    public void close() throws IOException {
        twin.delete();
    }
}
