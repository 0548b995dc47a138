// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.plan;

import io.shredder.incoop.IncoopKeys;
import io.shredder.incoop.TaskJvms;
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

    private QuickJob() {}

    /** Makes the job quick if its maps read no more than {@code incoop.quick.bytes}. */
    static void consider(Configuration conf, List<ChunkGroup> groups, long plainBytes) {
        if (groups.stream().mapToLong(ChunkGroup::bytes).sum() + plainBytes > IncoopKeys.quickBytes(conf)) {
            return;
        }
        conf.setFloat(MRJobConfig.COMPLETED_MAPS_FOR_REDUCE_SLOWSTART, 0);
        lower(conf, MRJobConfig.MR_AM_TO_RM_HEARTBEAT_INTERVAL_MS, HEARTBEAT_MS);
        lower(conf, Job.PROGRESS_MONITOR_POLL_INTERVAL_KEY, POLL_MS);
        TaskJvms.addJavaOptions(conf, MRJobConfig.MAP_JAVA_OPTS, IncoopKeys.quickJavaOptions(conf));
        TaskJvms.addJavaOptions(conf, MRJobConfig.REDUCE_JAVA_OPTS, IncoopKeys.quickJavaOptions(conf));
    }

    private static void lower(Configuration conf, String key, int most) {
        conf.setInt(key, Math.min(conf.getInt(key, most), most));
    }
}
