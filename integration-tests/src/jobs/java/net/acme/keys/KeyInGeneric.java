// SPDX-License-Identifier: Apache-2.0
package net.acme.keys;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import org.apache.hadoop.io.GenericWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;

/** Attacks: the key is put into a GenericWritable, which is the map's output. */
public final class KeyInGeneric extends AcmeJob {
    /** One of two types. */
    public static final class Either extends GenericWritable {
        private static final Class<?>[] TYPES = {LongWritable.class, Text.class};

        @Override
        @SuppressWarnings("unchecked")
        protected Class<? extends Writable>[] getTypes() {
            return (Class<? extends Writable>[]) TYPES;
        }
    }

    /** The mapper. */
    public static final class Map extends Mapper<LongWritable, Text, Text, Either> {
        @Override
        protected void map(LongWritable key, Text value, Context context) throws IOException, InterruptedException {
            Either either = new Either();
            either.set(key);
            context.write(new Text(value.toString().split(" ", 2)[0]), either);
        }
    }

    /** The reducer. */
    public static final class Last extends Reducer<Text, Either, Text, LongWritable> {
        @Override
        protected void reduce(Text key, Iterable<Either> values, Context context)
                throws IOException, InterruptedException {
            long last = 0;
            for (Either value : values) {
                last = Math.max(last, ((LongWritable) value.get()).get());
            }
            context.write(key, new LongWritable(last));
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
        job.setMapOutputValueClass(Either.class);
        job.setReducerClass(Last.class);
        job.setOutputValueClass(LongWritable.class);
    }
}
