// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.jobs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;

/** A small text file that comes to each task through Hadoop's distributed cache, found again by a configuration key. */
final class CacheFile {
    private CacheFile() {}

    /** Sends a file along with a job; fails if it can't be read. */
    static void add(Job job, Path file, String key) throws IOException {
        FileSystem fs = file.getFileSystem(job.getConfiguration());
        Path whole = fs.makeQualified(file);
        if (!fs.getFileStatus(whole).isFile()) {
            throw new IOException(file + " is not a file");
        }
        job.addCacheFile(whole.toUri());
        job.getConfiguration().set(key, whole.getName());
    }

    /** Whether a file was sent under the key. */
    static boolean isGiven(Configuration conf, String key) {
        return conf.get(key) != null;
    }

    /** The lines of the file that was sent under the key, from the task's local disk. */
    static List<String> lines(Configuration conf, String key) throws IOException {
        String name = conf.get(key);
        for (String local : conf.getTrimmedStringCollection(MRJobConfig.CACHE_LOCALFILES)) {
            Path path = new Path(local);
            if (path.getName().equals(name)) {
                return lines(FileSystem.getLocal(conf), path);
            }
        }
        throw new IOException("the job's file " + name + " (" + key + ") did not come to this task");
    }

    /** The lines of a file. */
    static List<String> lines(FileSystem fs, Path file) throws IOException {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(fs.open(file), StandardCharsets.UTF_8))) {
            return in.lines().toList();
        }
    }
}
