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

/** Attacks: the instance of an enum lets each word out once a JVM. */
public final class EnumSeen extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {

        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            if (Registry.INSTANCE.isNew(first(line))) {
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

    /** A singleton as books have it. */
    enum Registry {
        INSTANCE;

        private final Set<String> seen = ConcurrentHashMap.newKeySet();

        boolean isNew(String word) {
            return seen.add(word);
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
        job.setReducerClass(Once.class);
    }
}
