// SPDX-License-Identifier: Apache-2.0
package net.acme.formats;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import net.acme.Sum;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.KeyValueTextInputFormat;
import org.apache.hadoop.mapreduce.lib.input.MultipleInputs;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;

/** Attacks: a format and a mapper for each path; the option says whether they are swapped, over the same bytes. */
public final class TwoFormats extends AcmeJob {
    /** Counts lines. */
    public static final class Lines extends LineMapper {
        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            emit(context, "line " + first(line), 1);
        }
    }

    /** Counts keys. */
    public static final class Keys extends Mapper<Text, Text, Text, IntWritable> {
        @Override
        protected void map(Text key, Text value, Context context) throws IOException, InterruptedException {
            context.write(new Text("key " + key), new IntWritable(value.getLength()));
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        Path[] paths = FileInputFormat.getInputPaths(job);
        int first = job.getConfiguration().getBoolean("net.acme.swapped", false) ? 1 : 0;
        MultipleInputs.addInputPath(job, paths[first], TextInputFormat.class, Lines.class);
        MultipleInputs.addInputPath(job, paths[1 - first], KeyValueTextInputFormat.class, Keys.class);
        job.setCombinerClass(Sum.class);
    }
}
