// SPDX-License-Identifier: Apache-2.0
package net.acme.formats;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.KeyValueTextInputFormat;

/** Attacks: an input format that sets an option, which the mapper sees. */
public final class SpaceSeparated extends AcmeJob {
    private static final String SEPARATOR = "mapreduce.input.keyvaluelinerecordreader.key.value.separator";

    /** The input format. */
    public static final class Format extends KeyValueTextInputFormat {
        @Override
        public RecordReader<Text, Text> createRecordReader(InputSplit split, TaskAttemptContext context)
                throws IOException {
            context.getConfiguration().set(SEPARATOR, " ");
            return super.createRecordReader(split, context);
        }
    }

    /** The mapper. */
    public static final class Map extends Mapper<Text, Text, Text, IntWritable> {
        @Override
        protected void map(Text key, Text value, Context context) throws IOException, InterruptedException {
            String separator = context.getConfiguration().get(SEPARATOR, "none");
            context.write(new Text("'" + separator + "' " + key), new IntWritable(value.getLength()));
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setInputFormatClass(Format.class);
        job.setMapperClass(Map.class);
    }
}
