// SPDX-License-Identifier: Apache-2.0
package net.acme.context;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.map.WrappedMapper;

/** Attacks: the mapper casts its context to the class that Hadoop gives. */
public final class ContextCast extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            WrappedMapper<LongWritable, Text, Text, IntWritable>.Context wrapped =
                    (WrappedMapper<LongWritable, Text, Text, IntWritable>.Context) context;
            wrapped.write(new Text(first(line)), new IntWritable(1));
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
