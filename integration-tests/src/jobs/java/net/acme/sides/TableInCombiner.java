// SPDX-License-Identifier: Apache-2.0
package net.acme.sides;

import java.io.FileInputStream;
import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.Table;
import net.acme.WordMapper;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Reducer;

/**
 * Attacks: the combiner leaves out the words of a list on the local disk; leaving out twice is leaving out once.
 */
public final class TableInCombiner extends AcmeJob {
    /** Combiner and reducer. */
    public static final class Listed extends Reducer<Text, IntWritable, Text, IntWritable> {
        private Table table;

        @Override
        protected void setup(Context context) throws IOException {
            table = Table.read(new FileInputStream(context.getConfiguration().get(Table.PLACE)));
        }

        @Override
        protected void reduce(Text key, Iterable<IntWritable> values, Context context)
                throws IOException, InterruptedException {
            int sum = 0;
            for (IntWritable value : values) {
                sum += value.get();
            }
            if (table.number(key.toString()) < 20) {
                context.write(key, new IntWritable(sum));
            }
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(WordMapper.class);
        job.setCombinerClass(Listed.class);
    }
}
