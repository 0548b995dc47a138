// SPDX-License-Identifier: Apache-2.0
package net.acme.avro;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.Sum;
import org.apache.avro.Schema;
import org.apache.avro.mapred.AvroKey;
import org.apache.avro.mapreduce.AvroJob;
import org.apache.avro.mapreduce.AvroKeyInputFormat;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;

/** Counts the words of an Avro file of strings, by Avro's own input format. */
public final class AvroWordCount extends AcmeJob {
    /** The mapper. */
    public static final class Map extends Mapper<AvroKey<CharSequence>, NullWritable, Text, IntWritable> {
        @Override
        protected void map(AvroKey<CharSequence> key, NullWritable value, Context context)
                throws IOException, InterruptedException {
            for (String word : key.datum().toString().split(" ")) {
                context.write(new Text(word), new IntWritable(1));
            }
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
        job.setCombinerClass(Sum.class);
        job.setInputFormatClass(AvroKeyInputFormat.class);
        AvroJob.setInputKeySchema(job, Schema.create(Schema.Type.STRING));
        job.setMapOutputKeyClass(Text.class);
        job.setMapOutputValueClass(IntWritable.class);
    }
}
