// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.memo;

import io.shredder.chunk.DamagedDataException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a memo store holds and what it has spared, as far as runs are on record.
 *
 * @param jobs one for each job name, in the order of the records
 * @param memoFiles all files, those that no run on record uses included
 * @param bytes in all of them, of one replica
 * @param unusedBytes of these, in files that no run on record uses
 */
public record StoreStats(List<JobUse> jobs, long memoFiles, long bytes, long unusedBytes) {

    private static final Logger LOG = LoggerFactory.getLogger(StoreStats.class);

    /**
     * What runs under one job name have used.
     *
     * @param job its name
     * @param identities how many different jobs ran under it
     * @param runs on record
     * @param lastRunMs when the last was submitted, milliseconds since 1970 by the file system's clock
     * @param chunks of the inputs of all these runs
     * @param reusedChunks of these, whose maps did not run
     * @param inputBytes of all these runs
     * @param sparedBytes of these, which no map had to read
     * @param plainFiles of all these runs, which were mapped as in a plain run
     * @param memoFiles that these runs use and that are still there
     * @param bytes in these files, of one replica
     * @param entries in these files: leaves, nodes and part files
     */
    public record JobUse(
            String job,
            int identities,
            int runs,
            long lastRunMs,
            long chunks,
            long reusedChunks,
            long inputBytes,
            long sparedBytes,
            long plainFiles,
            long memoFiles,
            long bytes,
            long entries) {}

    public StoreStats {
        jobs = List.copyOf(jobs);
    }

    /** Of the store under {@code root}; all zeros if there is none. Opens every memo file that a run on record uses. */
    public static StoreStats of(Configuration conf, Path root) throws IOException {
        Map<String, FileStatus> files = memoFiles(root.getFileSystem(conf), root);
        Map<String, List<RunRecords.Run>> runsOfJob = new LinkedHashMap<>();
        for (RunRecords.Run run : new RunRecords(conf, root).all()) {
            runsOfJob
                    .computeIfAbsent(run.record().job(), job -> new ArrayList<>())
                    .add(run);
        }
        List<JobUse> jobs = new ArrayList<>();
        Set<String> used = new HashSet<>();
        for (Map.Entry<String, List<RunRecords.Run>> job : runsOfJob.entrySet()) {
            Set<String> ofJob = usedFiles(job.getValue());
            ofJob.retainAll(files.keySet());
            used.addAll(ofJob);
            jobs.add(use(
                    job.getKey(), job.getValue(), ofJob.stream().map(files::get).toList(), conf));
        }
        long unused = files.entrySet().stream()
                .filter(file -> !used.contains(file.getKey()))
                .mapToLong(file -> file.getValue().getLen())
                .sum();
        return new StoreStats(jobs, files.size(), bytes(files.values()), unused);
    }

    private static JobUse use(String job, List<RunRecords.Run> runs, List<FileStatus> files, Configuration conf)
            throws IOException {
        return new JobUse(
                job,
                (int) runs.stream()
                        .map(run -> run.record().identity())
                        .distinct()
                        .count(),
                runs.size(),
                runs.get(0).writtenMs(),
                runs.stream().mapToLong(run -> run.record().chunks()).sum(),
                runs.stream().mapToLong(run -> run.record().reusedChunks()).sum(),
                runs.stream().mapToLong(run -> run.record().bytes()).sum(),
                runs.stream().mapToLong(run -> run.record().reusedBytes()).sum(),
                runs.stream().mapToLong(run -> run.record().plainFiles()).sum(),
                files.size(),
                bytes(files),
                entries(files, conf));
    }

    private static long entries(List<FileStatus> files, Configuration conf) throws IOException {
        long entries = 0;
        for (FileStatus file : files) {
            try (MemoReader reader = MemoReader.open(file.getPath().getFileSystem(conf), file.getPath())) {
                entries += reader.entries().size();
            } catch (DamagedDataException | FileNotFoundException e) {
                LOG.debug("holds nothing that a job could use", e);
            }
        }
        return entries;
    }

    private static long bytes(Iterable<FileStatus> files) {
        long bytes = 0;
        for (FileStatus file : files) {
            bytes += file.getLen();
        }
        return bytes;
    }

    private static Set<String> usedFiles(List<RunRecords.Run> runs) {
        Set<String> files = new HashSet<>();
        for (RunRecords.Run run : runs) {
            run.record().files().forEach(file -> files.add(run.record().identity() + "/" + file));
        }
        return files;
    }

    private static Map<String, FileStatus> memoFiles(FileSystem fs, Path root) throws IOException {
        Map<String, FileStatus> files = new LinkedHashMap<>();
        for (FileStatus folder : list(fs, root)) {
            String identity = folder.getPath().getName();
            if (folder.isDirectory() && MemoStore.isIdentity(identity)) {
                for (FileStatus file : list(fs, folder.getPath())) {
                    if (MemoStore.isMemoFile(file.getPath().getName())) {
                        files.put(identity + "/" + file.getPath().getName(), file);
                    }
                }
            }
        }
        return files;
    }

    private static FileStatus[] list(FileSystem fs, Path folder) throws IOException {
        try {
            return fs.listStatus(folder);
        } catch (FileNotFoundException e) {
            return new FileStatus[0];
        }
    }
}
