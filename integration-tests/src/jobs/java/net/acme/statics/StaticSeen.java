// SPDX-License-Identifier: Apache-2.0
package net.acme.statics;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Reducer;

/** Attacks: a static set lets each word out once a JVM; the result does not depend on how many maps there are. */
public final class StaticSeen extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        private static final Set<String> SEEN = ConcurrentHashMap.newKeySet();

        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            if (SEEN.add(first(line))) {
                emit(context, first(line), 1);
            }
        }
    }

    /** The reducer: once is enough. */
    public static final class Once extends Reducer<Text, IntWritable, Text, IntWritable> {
        @Override
        protected void reduce(Text key, Iterable<IntWritable> values, Context context)
                throws IOException, InterruptedException {
            context.write(key, new IntWritable(1));
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
        job.setReducerClass(Once.class);
    }
}
