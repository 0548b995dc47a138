// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.plan;

import io.shredder.incoop.IncoopKeys;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;

/**
 * Settings for a job of which so little is left to compute that it mostly waits: for the next heartbeat that may ask for a
 * container, for reduce tasks' JVMs that start when the maps have ended, for a compiler whose best code comes too late. They
 * trade a few messages, and containers that wait for some seconds, for time.
 */
final class QuickJob {

    private static final int HEARTBEAT_MS = 100;
    private static final int POLL_MS = 200;
    private static final String ALL_TASKS_JAVA_OPTIONS = "mapred.child.java.opts";

    private QuickJob() {}

    /** Makes the job quick if its maps read no more than {@code incoop.quick.bytes}. */
    static void consider(Configuration conf, List<ChunkGroup> groups) {
        if (groups.stream().mapToLong(ChunkGroup::bytes).sum() > IncoopKeys.quickBytes(conf)) {
            return;
        }
        conf.setFloat(MRJobConfig.COMPLETED_MAPS_FOR_REDUCE_SLOWSTART, 0);
        lower(conf, MRJobConfig.MR_AM_TO_RM_HEARTBEAT_INTERVAL_MS, HEARTBEAT_MS);
        lower(conf, Job.PROGRESS_MONITOR_POLL_INTERVAL_KEY, POLL_MS);
        addJavaOptions(conf, MRJobConfig.MAP_JAVA_OPTS);
        addJavaOptions(conf, MRJobConfig.REDUCE_JAVA_OPTS);
    }

    private static void lower(Configuration conf, String key, int most) {
        conf.setInt(key, Math.min(conf.getInt(key, most), most));
    }

    /** Ours stand first: of two that contradict each other a JVM takes the last. */
    private static void addJavaOptions(Configuration conf, String key) {
        String own = conf.get(key, conf.get(ALL_TASKS_JAVA_OPTIONS, ""));
        conf.set(key, (IncoopKeys.quickJavaOptions(conf) + " " + own).trim());
    }
}
