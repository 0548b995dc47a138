// SPDX-License-Identifier: Apache-2.0
package net.acme.statics;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Reducer;

/** Attacks: a thread-local set lets each word out once a thread. */
public final class ThreadLocalSeen extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        private static final ThreadLocal<Set<String>> SEEN = ThreadLocal.withInitial(HashSet::new);

        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            if (SEEN.get().add(first(line))) {
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
