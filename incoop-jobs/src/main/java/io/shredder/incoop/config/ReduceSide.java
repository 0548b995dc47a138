// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.config;

import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;

/**
 * A job's own reducer and output format while ours stand in for them, so that part files can be kept and reused. Jobs
 * whose output is anything but one file of Hadoop's own formats for each reduce task keep their own; their reducers
 * always run.
 */
public final class ReduceSide {

    private static final String NEW_API_REDUCER = "mapred.reducer.new-api";
    private static final Set<String> ONE_FILE_FORMATS =
            Set.of(TextOutputFormat.class.getName(), SequenceFileOutputFormat.class.getName());

    private ReduceSide() {}

    /** Puts ours in the places of the job's own, whose names are kept, if its part files can be kept. */
    public static void install(Configuration conf, Class<?> ourReducer, Class<?> ourOutputFormat) {
        String format = conf.get(MRJobConfig.OUTPUT_FORMAT_CLASS_ATTR, TextOutputFormat.class.getName());
        if (!ONE_FILE_FORMATS.contains(format)
                || !conf.getBoolean(NEW_API_REDUCER, false)
                || IncoopKeys.partMaxBytes(conf) == 0) {
            return;
        }
        conf.set(IncoopKeys.REDUCER, conf.get(MRJobConfig.REDUCE_CLASS_ATTR, Reducer.class.getName()));
        conf.set(IncoopKeys.OUTPUT_FORMAT, format);
        conf.set(MRJobConfig.REDUCE_CLASS_ATTR, ourReducer.getName());
        conf.set(MRJobConfig.OUTPUT_FORMAT_CLASS_ATTR, ourOutputFormat.getName());
    }

    /** Whether part files of this job may be kept and reused. */
    public static boolean isInstalled(Configuration conf) {
        return conf.get(IncoopKeys.REDUCER) != null;
    }

    /** The job's own reducer; only while ours stands in for it. */
    @SuppressWarnings("rawtypes")
    public static Class<? extends Reducer> reducerClass(Configuration conf) throws ClassNotFoundException {
        return conf.getClassByName(conf.get(IncoopKeys.REDUCER)).asSubclass(Reducer.class);
    }

    /** The job's own output format; only while ours stands in for it. */
    @SuppressWarnings("rawtypes")
    public static Class<? extends FileOutputFormat> outputFormatClass(Configuration conf)
            throws ClassNotFoundException {
        return conf.getClassByName(conf.get(IncoopKeys.OUTPUT_FORMAT)).asSubclass(FileOutputFormat.class);
    }
}
