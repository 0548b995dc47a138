// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.plan;

import io.shredder.incoop.config.IncoopKeys;
import io.shredder.incoop.config.JavaOptions;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;

/**
 * Settings for a job of which so little is left to compute that it mostly waits. It waits for the next heartbeat that
 * may ask for a container, for reduce tasks' JVMs that start and read what is kept when the maps have ended, for a
 * compiler whose best code comes too late. They trade a few messages, and containers that wait for some seconds, for
 * time.
 */
final class QuickJob {

    private static final int HURRIED_HEARTBEAT_MS = 400;
    private static final int QUICK_HEARTBEAT_MS = 100;
    private static final int QUICK_POLL_MS = 200;

    private QuickJob() {}

    /**
     * Has reduce tasks start beside maps if these read no more than {@code incoop.hurried.bytes}, and compiles fast
     * rather than well what runs for seconds: the application master then, tasks if maps read no more than {@code
     * incoop.quick.bytes}.
     */
    static void consider(Configuration conf, List<ChunkGroup> groups, long plainBytes) {
        long bytes = groups.stream().mapToLong(ChunkGroup::bytes).sum() + plainBytes;
        boolean quick = bytes <= IncoopKeys.quickBytes(conf);
        if (!quick && bytes > IncoopKeys.hurriedBytes(conf)) {
            return;
        }
        conf.setFloat(MRJobConfig.COMPLETED_MAPS_FOR_REDUCE_SLOWSTART, 0);
        lower(conf, MRJobConfig.MR_AM_TO_RM_HEARTBEAT_INTERVAL_MS, quick ? QUICK_HEARTBEAT_MS : HURRIED_HEARTBEAT_MS);
        String options = IncoopKeys.quickJavaOptions(conf);
        JavaOptions.addForMaster(conf, MRJobConfig.MR_AM_COMMAND_OPTS, options);
        if (quick) {
            lower(conf, Job.PROGRESS_MONITOR_POLL_INTERVAL_KEY, QUICK_POLL_MS);
            JavaOptions.add(conf, MRJobConfig.MAP_JAVA_OPTS, options);
            JavaOptions.add(conf, MRJobConfig.REDUCE_JAVA_OPTS, options);
        }
    }

    private static void lower(Configuration conf, String key, int most) {
        conf.setInt(key, Math.min(conf.getInt(key, most), most));
    }
}
