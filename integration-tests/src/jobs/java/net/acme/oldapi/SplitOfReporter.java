// SPDX-License-Identifier: Apache-2.0
package net.acme.oldapi;

import java.io.IOException;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.Reporter;

/** Attacks: the mapper asks the reporter for its split. */
public final class SplitOfReporter extends OldJob {
    /** The mapper. */
    public static final class Map extends Lines {
        @Override
        public void map(LongWritable key, Text line, OutputCollector<Text, IntWritable> out, Reporter reporter)
                throws IOException {
            out.collect(
                    new Text(((FileSplit) reporter.getInputSplit()).getPath().getName()), new IntWritable(1));
        }
    }

    @Override
    protected void define(JobConf conf) {
        conf.setMapperClass(Map.class);
    }
}
