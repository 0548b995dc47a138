// SPDX-License-Identifier: Apache-2.0
package net.acme.oldapi;

import java.io.IOException;
import java.util.TreeMap;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.Reporter;

/** Attacks: a mapper with state writes in close, by a collector that it keeps. */
public final class ConfigureAndClose extends OldJob {
    /** The mapper. */
    public static final class Map extends Lines {
        private final TreeMap<String, Integer> counts = new TreeMap<>();
        private OutputCollector<Text, IntWritable> collector;
        private String tag;

        @Override
        public void configure(JobConf conf) {
            tag = conf.get("net.acme.tag");
        }

        @Override
        public void close() throws IOException {
            for (java.util.Map.Entry<String, Integer> count : counts.entrySet()) {
                collector.collect(new Text(count.getKey() + "/" + tag), new IntWritable(count.getValue()));
            }
        }

        @Override
        public void map(LongWritable key, Text line, OutputCollector<Text, IntWritable> out, Reporter reporter)
                throws IOException {
            collector = out;
            counts.merge(first(line), 1, Integer::sum);
        }
    }

    @Override
    protected void define(JobConf conf) {
        conf.setMapperClass(Map.class);
    }
}
