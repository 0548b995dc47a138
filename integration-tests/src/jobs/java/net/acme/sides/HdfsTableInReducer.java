// SPDX-License-Identifier: Apache-2.0
package net.acme.sides;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.Table;
import net.acme.WordMapper;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Reducer;

/** Attacks: the reducer reads a table on HDFS once into a static, so only the first reduce task opens a file. */
public final class HdfsTableInReducer extends AcmeJob {
    /** The reducer. */
    public static final class Scale extends Reducer<Text, IntWritable, Text, IntWritable> {
        private static Table kept;

        @Override
        protected void setup(Context context) throws IOException {
            synchronized (Scale.class) {
                if (kept == null) {
                    Path path = new Path(context.getConfiguration().get(Table.PLACE));
                    kept = Table.read(
                            path.getFileSystem(context.getConfiguration()).open(path));
                }
            }
        }

        @Override
        protected void reduce(Text key, Iterable<IntWritable> values, Context context)
                throws IOException, InterruptedException {
            int sum = 0;
            for (IntWritable value : values) {
                sum += value.get() * kept.number(key.toString());
            }
            context.write(key, new IntWritable(sum));
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(WordMapper.class);
        job.setReducerClass(Scale.class);
    }
}
