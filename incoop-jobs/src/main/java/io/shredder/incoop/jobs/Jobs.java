// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.jobs;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ToolRunner;

/**
 * The program of a jar: its first word says which job.
 * {@code hadoop jar JAR io.shredder.incoop.jobs.Jobs wordcount /in /out}. Exit code 0: done, 1: failed, 2: wrong usage.
 */
public final class Jobs {
    private static final Map<String, JobTool> JOBS = new TreeMap<>();

    static {
        for (JobTool job : List.of(
                new WordCount(), new BigramCount(), new CoOccurrence(), new KMeans(), new KNearestNeighbours())) {
            JOBS.put(job.name(), job);
        }
    }

    private Jobs() {}

    public static void main(String[] args) throws Exception {
        JobTool job = args.length == 0 ? null : JOBS.get(args[0]);
        if (job == null) {
            System.err.println((args.length == 0 ? "" : "jobs: no job '" + args[0] + "'\n")
                    + "usage: Jobs JOB [OPTIONS] INPUT OUTPUT; JOB --help says more. Jobs: "
                    + String.join(", ", JOBS.keySet()));
            System.exit(JobTool.WRONG_USAGE);
        } else {
            System.exit(ToolRunner.run(new Configuration(), job, Arrays.copyOfRange(args, 1, args.length)));
        }
    }
}
