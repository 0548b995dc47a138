// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan;

import io.shredder.hdfs.scan.ScanRecords.Outcome;
import io.shredder.hdfs.scan.digests.ListedDigests;
import io.shredder.hdfs.scan.digests.ListingTarget;
import io.shredder.hdfs.scan.plan.PlannedJob;
import io.shredder.hdfs.scan.plan.ScanPlan;
import io.shredder.hdfs.scan.plan.ScanSettings;
import io.shredder.hdfs.scan.plan.ScratchFolder;
import io.shredder.hdfs.scan.plan.TaskRecords;
import io.shredder.hdfs.scan.report.ChunkSampler;
import io.shredder.hdfs.scan.report.SharingEstimate;
import io.shredder.hdfs.scan.report.SharingJob;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/** The job that cuts files. For one thread. */
final class CutJob {

    private final ScanPlan plan;
    private final ScanSettings settings;
    private final Configuration conf;
    private final PrintStream err;

    /**
     * Runs nothing yet.
     *
     * @param settings which {@code conf} has, too
     * @param err gets the progress
     */
    CutJob(ScanPlan plan, ScanSettings settings, Configuration conf, PrintStream err) {
        this.plan = plan;
        this.settings = settings;
        this.conf = new Configuration(conf);
        this.err = err;
    }

    /** What was cut, and what chunks share. */
    record Shared(CutFindings cut, SharingEstimate estimate) {}

    /** Of no file. */
    static Shared nothing(ScanSettings settings) {
        return new Shared(new CutFindings(settings, List.of()), SharingEstimate.none());
    }

    /** Cuts, and writes manifests if that is wanted. */
    CutFindings cut(boolean writes) throws IOException, InterruptedException, ClassNotFoundException {
        conf.setBoolean(ScanSettings.WRITE_KEY, writes);
        try (ScratchFolder scratch = new ScratchFolder(conf)) {
            return findings(job(scratch).run(err));
        }
    }

    /** Cuts, and makes a listing of the digests. */
    DigestFindings list(ListingTarget target) throws IOException, InterruptedException, ClassNotFoundException {
        ListedDigests.prepare(conf);
        try (ScratchFolder scratch = new ScratchFolder(conf)) {
            PlannedJob job = job(scratch);
            ListedDigests.addOutput(job.job());
            Path outcomes = plan.files() == 0 ? scratch.path("none") : job.run(err);
            return new DigestFindings(findings(outcomes), target.publish(outcomes));
        }
    }

    /** @param sample of how many of {@link ChunkSampler#ALL} chunks is asked what is shared */
    Shared share(int sample) throws IOException, InterruptedException, ClassNotFoundException {
        ChunkSampler.prepare(conf, plan.groups().size(), sample);
        try (ScratchFolder scratch = new ScratchFolder(conf)) {
            PlannedJob job = job(scratch);
            ChunkSampler.addOutputs(job.job());
            Path outcomes = job.run(err);
            return new Shared(findings(outcomes), new SharingJob(scratch, outcomes, conf).run(err));
        }
    }

    private PlannedJob job(ScratchFolder scratch) throws IOException {
        return new PlannedJob("shredder scan", plan.splits(), ScanMapper.class, ScanReducer.class, scratch, conf);
    }

    private CutFindings findings(Path outcomes) throws IOException {
        List<Outcome> all = new ArrayList<>(TaskRecords.readAll(outcomes, Outcome::read, conf));
        if (all.size() != plan.files()) {
            throw new IOException("of " + plan.files() + " files the job says what became of " + all.size()
                    + ": this is a bug, please report it");
        }
        all.sort(Comparator.comparing(outcome -> outcome.file().path()));
        return new CutFindings(settings, all);
    }
}
