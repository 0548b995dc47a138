// SPDX-License-Identifier: Apache-2.0
package net.acme.statics;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.WordMapper;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Reducer;

/** Attacks: a static numbers the words that a reduce task writes. */
public final class StaticInReducer extends AcmeJob {
    /** The reducer. */
    public static final class Numbered extends Reducer<Text, IntWritable, Text, IntWritable> {
        private static int number;

        @Override
        protected void reduce(Text key, Iterable<IntWritable> values, Context context)
                throws IOException, InterruptedException {
            number++;
            context.write(key, new IntWritable(number));
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(WordMapper.class);
        job.setReducerClass(Numbered.class);
        job.setNumReduceTasks(1);
    }
}
