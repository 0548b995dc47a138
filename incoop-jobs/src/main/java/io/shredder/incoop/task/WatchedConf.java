// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task;

import io.shredder.incoop.format.PositionWatch;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.jspecify.annotations.Nullable;

/** A mapper's configuration, which notices being asked for what differs between tasks or runs of the same job. */
final class WatchedConf extends JobConf {

    private static final Set<String> KEYS_OF_A_PLACE = Set.of(
            MRJobConfig.ID,
            MRJobConfig.JOB_NAME,
            MRJobConfig.TASK_ID,
            MRJobConfig.TASK_ATTEMPT_ID,
            MRJobConfig.TASK_PARTITION,
            FileInputFormat.INPUT_DIR,
            FileOutputFormat.OUTDIR);

    private final @Nullable PositionWatch watch;

    WatchedConf(Configuration conf, PositionWatch watch) {
        super(conf);
        this.watch = watch;
    }

    @Override
    public String get(String name) {
        notice(name);
        return super.get(name);
    }

    @Override
    public String get(String name, String defaultValue) {
        notice(name);
        return super.get(name, defaultValue);
    }

    private void notice(String name) {
        // The super constructor asks for other keys before there is a watch.
        if (watch != null && KEYS_OF_A_PLACE.contains(name)) {
            watch.asked();
        }
    }
}
