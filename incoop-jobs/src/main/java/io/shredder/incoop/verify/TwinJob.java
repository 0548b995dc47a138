// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.verify;

import java.io.IOException;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/** The same job once more, with its output in a hidden folder of its own in the user's home. */
final class TwinJob {

    private static final String MARK = "incoop.verify.twin";

    private final JobConf conf;
    private final Path folder;

    /** @throws IOException if the job has no output folder */
    TwinJob(JobConf job) throws IOException {
        String output = job.get(FileOutputFormat.OUTDIR);
        if (output == null) {
            throw new IOException("incoop: verify: '" + job.getJobName()
                    + "' has no output folder whose files could be compared: verify it with --sample");
        }
        // A JobConf's copy would share its credentials.
        this.conf = new JobConf(new Configuration(job));
        conf.getCredentials().addAll(job.getCredentials());
        FileSystem fs = new Path(output).getFileSystem(job);
        this.folder = fs.makeQualified(new Path(fs.getHomeDirectory(), ".incoop-verify/" + UUID.randomUUID()));
        conf.setBoolean(MARK, true);
        conf.set(FileOutputFormat.OUTDIR, output().toString());
    }

    static boolean is(Configuration conf) {
        return conf.getBoolean(MARK, false);
    }

    JobConf conf() {
        return conf;
    }

    /** Where the twin writes. */
    Path output() {
        return new Path(folder, "output");
    }

    /** For a memo store of the twin's own. */
    Path memo() {
        return new Path(folder, "memo");
    }

    /** Runs the twin to its end. */
    void run(String name) throws IOException {
        Job twin = Job.getInstance(conf, conf.getJobName() + " (verify: " + name + ")");
        try {
            if (!twin.waitForCompletion(false)) {
                throw new IOException("incoop: verify: the " + name + " run of '" + conf.getJobName()
                        + "' failed, so there is nothing to compare with: " + twin.getJobID());
            }
        } catch (ClassNotFoundException e) {
            throw new IOException("a class of the job is missing: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Removes all that the twin has left. */
    void delete() throws IOException {
        folder.getFileSystem(conf).delete(folder, true);
    }
}
