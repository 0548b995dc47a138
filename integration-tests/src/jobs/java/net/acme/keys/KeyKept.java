// SPDX-License-Identifier: Apache-2.0
package net.acme.keys;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;

/** Attacks: the key is kept in a field, and read there when the framework's call is over but for its last line. */
public final class KeyKept extends AcmeJob {
    /** The mapper. */
    public static final class Map extends Mapper<LongWritable, Text, Text, IntWritable> {
        private LongWritable kept = new LongWritable();

        @Override
        protected void map(LongWritable key, Text value, Context context) throws IOException, InterruptedException {
            kept = key;
            emit(context, value.toString().split(" ", 2)[0]);
        }

        private void emit(Context context, String word) throws IOException, InterruptedException {
            context.write(new Text(word), new IntWritable((int) kept.get()));
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
