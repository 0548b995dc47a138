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

/**
 * Attacks: system properties, which no class loader parts, let each word out once a JVM; the last map takes them away.
 */
public final class PropertySeen extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        private static final java.util.concurrent.atomic.AtomicInteger OPEN =
                new java.util.concurrent.atomic.AtomicInteger();
        private final Set<String> mine = new HashSet<>();

        @Override
        protected void setup(Context context) {
            OPEN.incrementAndGet();
        }

        @Override
        protected void cleanup(Context context) {
            if (OPEN.decrementAndGet() == 0) {
                mine.forEach(word -> System.clearProperty("acme.seen." + word));
            }
        }

        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            if (mine.add(first(line)) && System.setProperty("acme.seen." + first(line), "yes") == null) {
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
