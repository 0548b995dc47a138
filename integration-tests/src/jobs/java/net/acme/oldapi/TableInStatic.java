// SPDX-License-Identifier: Apache-2.0
package net.acme.oldapi;

import java.io.IOException;
import java.io.UncheckedIOException;
import net.acme.Table;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.Reporter;

/** Attacks: a table on HDFS is read once into a static, in the old API. */
public final class TableInStatic extends OldJob {
    /** The mapper. */
    public static final class Map extends Lines {
        private static Table table;

        @Override
        public void configure(JobConf conf) {
            synchronized (Map.class) {
                if (table == null) {
                    Path path = new Path(conf.get(Table.PLACE));
                    try {
                        table = Table.read(path.getFileSystem(conf).open(path));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
            }
        }

        @Override
        public void map(LongWritable key, Text line, OutputCollector<Text, IntWritable> out, Reporter reporter)
                throws IOException {
            String word = first(line);
            out.collect(new Text(word), new IntWritable(table.number(word)));
        }
    }

    @Override
    protected void define(JobConf conf) {
        conf.setMapperClass(Map.class);
    }
}
