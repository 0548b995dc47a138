// SPDX-License-Identifier: Apache-2.0
package net.acme.formats;

import java.io.IOException;
import net.acme.oldapi.OldJob;
import net.acme.oldapi.Words;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.FileInputFormat;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.TextInputFormat;
import org.apache.hadoop.mapred.lib.MultipleInputs;

/** Attacks: two inputs of the old API with a mapper each, one of which asks for its file. */
public final class OldTwoInputs extends OldJob {
    /** Asks for its file, of which Hadoop tells the mapper of such an input nothing. */
    public static final class Asking extends Lines {
        private String file = "";

        @Override
        public void configure(JobConf conf) {
            file = String.valueOf(conf.get("mapreduce.map.input.file"));
        }

        @Override
        public void map(LongWritable key, Text line, OutputCollector<Text, IntWritable> out, Reporter reporter)
                throws IOException {
            out.collect(new Text("from " + file), new IntWritable(1));
        }
    }

    @Override
    protected void define(JobConf conf) {
        Path[] paths = FileInputFormat.getInputPaths(conf);
        MultipleInputs.addInputPath(conf, paths[0], TextInputFormat.class, Asking.class);
        MultipleInputs.addInputPath(conf, paths[1], TextInputFormat.class, Words.Map.class);
    }
}
