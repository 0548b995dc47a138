// SPDX-License-Identifier: Apache-2.0
package net.acme.oldapi;

import java.io.IOException;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapRunnable;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;

/** Attacks: a MapRunnable of the job's own. */
public final class OwnRunnable extends OldJob {
    /** Reads and writes by itself. */
    public static final class Runner implements MapRunnable<LongWritable, Text, Text, IntWritable> {
        @Override
        public void configure(JobConf conf) {
            // Nothing to read.
        }

        @Override
        public void run(RecordReader<LongWritable, Text> in, OutputCollector<Text, IntWritable> out, Reporter reporter)
                throws IOException {
            LongWritable key = in.createKey();
            Text line = in.createValue();
            while (in.next(key, line)) {
                out.collect(new Text(Lines.first(line)), new IntWritable(1));
            }
        }
    }

    @Override
    protected void define(JobConf conf) {
        conf.setMapRunnerClass(Runner.class);
    }
}
