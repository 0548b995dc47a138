// SPDX-License-Identifier: Apache-2.0
package net.acme.outputs;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.output.MultipleOutputs;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;

/** Attacks: the mapper writes a named output, which no shuffle carries. */
public final class MapperNamedOutput extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        private MultipleOutputs<Text, IntWritable> outputs;

        @Override
        protected void setup(Context context) {
            // The two halves of a context differ in their output types alone.
            outputs = new MultipleOutputs<>((Mapper.Context) context);
        }

        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            if (first(line).equals("w5")) {
                outputs.write("fives", new Text(line), new IntWritable(1));
            }
            emit(context, first(line), 1);
        }

        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            outputs.close();
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
        MultipleOutputs.addNamedOutput(job, "fives", TextOutputFormat.class, Text.class, IntWritable.class);
    }
}
