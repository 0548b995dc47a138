// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.incoop;

import io.shredder.incoop.task.IncoopCounter;
import io.shredder.it.incoop.Outcome.Work;
import io.shredder.it.process.Condition;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.FileSystemCounter;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.JobInfo;
import org.jspecify.annotations.Nullable;

/** What the job history says of jobs that have ended: the only place that tells maps and reduces apart. */
final class History {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final List<String> PLACES = List.of("done_intermediate/*", "done/*/*/*/*");

    private final FileSystem fs;
    private final String folder;

    /** @param folder the cluster's staging folder's {@code history} */
    History(FileSystem fs, String folder) {
        this.fs = fs;
        this.folder = folder;
    }

    /** The work of several jobs together. */
    Work workOf(List<String> jobs) throws IOException, InterruptedException {
        double cpuSeconds = 0;
        long mapTasks = 0;
        long mapHdfsBytes = 0;
        Map<String, Long> incoop = new TreeMap<>();
        for (String job : jobs) {
            JobInfo info = read(job);
            for (Counters counters : new Counters[] {info.getMapCounters(), info.getReduceCounters()}) {
                cpuSeconds += value(counters, TaskCounter.class.getName(), TaskCounter.CPU_MILLISECONDS.name()) / 1e3;
            }
            mapTasks += info.getTotalMaps();
            mapHdfsBytes += value(info.getMapCounters(), FileSystemCounter.class.getName(), "HDFS_BYTES_READ");
            for (Counter counter : info.getTotalCounters().getGroup(IncoopCounter.GROUP)) {
                incoop.merge(counter.getName(), counter.getValue(), Long::sum);
            }
        }
        return new Work(cpuSeconds, mapTasks, mapHdfsBytes, incoop);
    }

    private JobInfo read(String job) throws IOException, InterruptedException {
        FileStatus[] found = new FileStatus[1];
        Condition.await("the history of " + job, LIMIT, List.of(), () -> {
            for (String place : PLACES) {
                FileStatus[] files = fs.globStatus(new Path(folder, place + "/" + job + "-*.jhist"));
                if (files != null && files.length > 0) {
                    found[0] = files[0];
                }
            }
            return found[0] != null;
        });
        return new JobHistoryParser(fs, found[0].getPath()).parse();
    }

    /** Jobs without maps have no counters of maps. */
    private static long value(@Nullable Counters counters, String group, String name) {
        return counters == null ? 0 : counters.findCounter(group, name).getValue();
    }
}
