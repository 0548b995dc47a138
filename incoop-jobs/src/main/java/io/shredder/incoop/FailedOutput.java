// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import io.shredder.incoop.config.MapOnly;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.OutputFormat;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.hadoop.util.ReflectionUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a run that failed has put out, and whether it can be taken back, so that another run of the job does not put it
 * out twice. That is known of files that Hadoop's own committer has put into a new folder.
 */
final class FailedOutput {

    private static final Logger LOG = LoggerFactory.getLogger(FailedOutput.class);
    private static final String OLD_COMMITTER = "mapred.output.committer.class";

    /** Of the committer, part files by Hadoop's formats or by several outputs, with manifests and checksums. */
    private static final Pattern OWN = Pattern.compile("_temporary|\\.?_SUCCESS.*|\\.?part-.*|.*-[mr]-\\d{5,}.*");

    private final JobConf job;
    private final boolean isNew;

    private FailedOutput(JobConf job, boolean isNew) {
        this.job = job;
        this.isNew = isNew;
    }

    /** To be asked for before the job runs. */
    static FailedOutput of(JobConf job) {
        return new FailedOutput(job, isNew(job));
    }

    /** Not if that can't be found out. */
    private static boolean isNew(Configuration conf) {
        String output = conf.get(FileOutputFormat.OUTDIR);
        try {
            return output != null && !new Path(output).getFileSystem(conf).exists(new Path(output));
        } catch (IOException | RuntimeException e) {
            LOG.debug("not looked at", e);
            return false;
        }
    }

    /**
     * Why what is there can't be taken back, if so.
     *
     * @param mayBeCommitted whether a task may have put something out for good
     */
    Optional<String> objection(boolean mayBeCommitted) throws IOException {
        if (mayBeCommitted) {
            Optional<String> committer = committer();
            if (committer.isPresent()) {
                return committer;
            }
        }
        return isNew ? foreign(output(), output().getFileSystem(job)) : Optional.empty();
    }

    private Optional<String> committer() {
        if (!isNew) {
            return Optional.of("its output is no new folder of files");
        }
        try {
            Class<?> committer = committerClass();
            boolean known = committer == FileOutputCommitter.class
                    || committer == org.apache.hadoop.mapred.FileOutputCommitter.class;
            return known ? Optional.empty() : Optional.of("its output is put out by " + committer.getName());
        } catch (IOException | InterruptedException | ClassNotFoundException | RuntimeException e) {
            LOG.debug("no committer", e);
            return Optional.of("what puts its output out is not known (" + e + ")");
        }
    }

    /** Of an output format that does not write files the format itself, which may do without a committer. */
    private Class<?> committerClass() throws IOException, InterruptedException, ClassNotFoundException {
        String api = MapOnly.is(job) ? "mapred.mapper.new-api" : "mapred.reducer.new-api";
        if (!job.getBoolean(api, false)) {
            Class<?> format = job.getOutputFormat().getClass();
            return org.apache.hadoop.mapred.FileOutputFormat.class.isAssignableFrom(format)
                    ? job.getClass(OLD_COMMITTER, org.apache.hadoop.mapred.FileOutputCommitter.class)
                    : format;
        }
        Class<?> format = job.getClass(MRJobConfig.OUTPUT_FORMAT_CLASS_ATTR, TextOutputFormat.class);
        if (!FileOutputFormat.class.isAssignableFrom(format)) {
            return format;
        }
        TaskAttemptID attempt = new TaskAttemptID("none", 0, TaskType.REDUCE, 0, 0);
        return ((OutputFormat<?, ?>) ReflectionUtils.newInstance(format, job))
                .getOutputCommitter(new TaskAttemptContextImpl(job, attempt))
                .getClass();
    }

    private static Optional<String> foreign(Path folder, FileSystem fs) throws IOException {
        FileStatus[] children;
        try {
            children = fs.listStatus(folder);
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
        for (FileStatus child : children) {
            boolean own = OWN.matcher(child.getPath().getName()).matches();
            Optional<String> found = own
                    ? Optional.empty()
                    : child.isDirectory()
                            ? foreign(child.getPath(), fs)
                            : Optional.of("its output folder holds " + child.getPath() + ", which may be another's");
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private Path output() {
        return new Path(job.get(FileOutputFormat.OUTDIR));
    }

    /** Takes it back; after {@link #objection} has had nothing against it. */
    void takeBack() throws IOException {
        if (isNew) {
            output().getFileSystem(job).delete(output(), true);
        }
    }
}
