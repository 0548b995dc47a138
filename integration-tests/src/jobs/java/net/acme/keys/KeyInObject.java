// SPDX-License-Identifier: Apache-2.0
package net.acme.keys;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import net.acme.AcmeJob;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.ObjectWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;

/** Attacks: the key is put into an ObjectWritable, which is serialised. */
public final class KeyInObject extends AcmeJob {
    /** The mapper. */
    public static final class Map extends Mapper<LongWritable, Text, Text, IntWritable> {
        @Override
        protected void map(LongWritable key, Text value, Context context) throws IOException, InterruptedException {
            DataOutputBuffer bytes = new DataOutputBuffer();
            ObjectWritable.writeObject(bytes, key, LongWritable.class, context.getConfiguration());
            context.write(
                    new Text("at " + Arrays.hashCode(Arrays.copyOf(bytes.getData(), bytes.getLength())) % 50),
                    new IntWritable(1));
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
