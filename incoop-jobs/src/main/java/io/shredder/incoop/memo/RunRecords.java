// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.memo;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A memo store's records of runs. Each is written once, when its job is submitted, under the job's MapReduce id. */
public final class RunRecords {

    private static final Logger LOG = LoggerFactory.getLogger(RunRecords.class);

    private final FileSystem fs;
    private final Path folder;

    /**
     * A record with its place in time.
     *
     * @param path of its file
     * @param writtenMs when the job was submitted, milliseconds since 1970 by the file system's clock
     */
    public record Run(RunRecord record, Path path, long writtenMs) {}

    /** Of the store under {@code root}. Opens nothing yet. */
    public RunRecords(Configuration conf, Path root) throws IOException {
        this.fs = root.getFileSystem(conf);
        this.folder = new Path(fs.makeQualified(root), "runs");
    }

    /** Keeps the record of a job that is about to run. */
    public void add(String jobId, RunRecord record) throws IOException {
        Path file = new Path(new Path(folder, MemoStore.digest(record.job())), jobId);
        try (FSDataOutputStream out = fs.create(file, true)) {
            out.write(record.encode().getBytes(StandardCharsets.UTF_8));
        }
    }

    /** All records that can be read, those of a job together, its newest first. */
    public List<Run> all() throws IOException {
        List<Run> runs = new ArrayList<>();
        for (FileStatus job : list(folder)) {
            List<Run> ofJob = new ArrayList<>();
            for (FileStatus file : list(job.getPath())) {
                read(file, ofJob);
            }
            ofJob.sort(Comparator.comparingLong(Run::writtenMs).reversed());
            runs.addAll(ofJob);
        }
        return runs;
    }

    private void read(FileStatus file, List<Run> runs) {
        try (FSDataInputStream in = fs.open(file.getPath())) {
            String text = new String(IOUtils.readFullyToByteArray(in), StandardCharsets.UTF_8);
            RunRecord record = RunRecord.decode(text, file.getPath().toString());
            runs.add(new Run(record, file.getPath(), file.getModificationTime()));
        } catch (IOException e) {
            LOG.warn("incoop: a record of a run counts for nothing: {}", e.getMessage());
        }
    }

    private FileStatus[] list(Path path) throws IOException {
        try {
            FileStatus[] children = fs.listStatus(path);
            Arrays.sort(children);
            return children;
        } catch (FileNotFoundException e) {
            return new FileStatus[0];
        }
    }
}
