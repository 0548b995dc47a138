// SPDX-License-Identifier: Apache-2.0
package net.acme.oldapi;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.Reporter;

/** Attacks: the mapper reads the name of its file from the configuration. */
public final class InputFileOption extends OldJob {
    /** The mapper. */
    public static final class Map extends Lines {
        private String file;

        @Override
        public void configure(JobConf conf) {
            file = new Path(conf.get("map.input.file")).getName();
        }

        @Override
        public void map(LongWritable key, Text line, OutputCollector<Text, IntWritable> out, Reporter reporter)
                throws IOException {
            out.collect(new Text(first(line) + "/" + file), new IntWritable(1));
        }
    }

    @Override
    protected void define(JobConf conf) {
        conf.setMapperClass(Map.class);
    }
}
