// SPDX-License-Identifier: Apache-2.0
package net.acme.setups;

import java.io.IOException;
import java.util.HashMap;
import net.acme.oldapi.OldJob;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapReduceBase;
import org.apache.hadoop.mapred.Mapper;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.Reporter;

/** Attacks: an old mapper keeps its configuration, a table, and the collector of its first call for close. */
public final class OldTableInField extends OldJob {
    /** The mapper. */
    public static final class Map extends MapReduceBase implements Mapper<LongWritable, Text, Text, IntWritable> {
        private final java.util.Map<String, Integer> weights = new HashMap<>();
        private JobConf options;
        private OutputCollector<Text, IntWritable> kept;
        private int seen;

        @Override
        public void configure(JobConf job) {
            options = job;
            for (int i = 0; i < 500; i++) {
                weights.put("w" + i, i % 7);
            }
        }

        @Override
        public void map(LongWritable key, Text value, OutputCollector<Text, IntWritable> output, Reporter reporter)
                throws IOException {
            kept = output;
            seen++;
            String word = value.toString().split(" ", 2)[0];
            output.collect(
                    new Text(word + options.getInt("net.acme.nothing", 3)),
                    new IntWritable(weights.getOrDefault(word, -1)));
        }

        @Override
        public void close() throws IOException {
            if (kept != null) {
                kept.collect(new Text("seen"), new IntWritable(seen));
            }
        }
    }

    @Override
    protected void define(JobConf job) {
        job.setMapperClass(Map.class);
    }
}
