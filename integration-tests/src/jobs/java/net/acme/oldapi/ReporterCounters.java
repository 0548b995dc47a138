// SPDX-License-Identifier: Apache-2.0
package net.acme.oldapi;

import java.io.IOException;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.Reporter;

/** Attacks: counters of a reporter, whose values the mapper writes in close. */
public final class ReporterCounters extends OldJob {
    /** The mapper. */
    public static final class Map extends Lines {
        private org.apache.hadoop.mapred.Counters.Counter counter;
        private OutputCollector<Text, IntWritable> collector;

        @Override
        public void close() throws IOException {
            if (counter != null) {
                collector.collect(new Text("lines"), new IntWritable((int) counter.getValue()));
            }
        }

        @Override
        public void map(LongWritable key, Text line, OutputCollector<Text, IntWritable> out, Reporter reporter)
                throws IOException {
            collector = out;
            counter = reporter.getCounter("acme", "lines");
            counter.increment(1);
            reporter.setStatus("at " + line.getLength());
            out.collect(new Text(first(line)), new IntWritable(1));
        }
    }

    @Override
    protected void define(JobConf conf) {
        conf.setMapperClass(Map.class);
    }
}
