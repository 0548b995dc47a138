// SPDX-License-Identifier: Apache-2.0
package net.acme.sides;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import net.acme.AcmeJob;
import net.acme.Table;
import net.acme.WordMapper;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Reducer;

/** Attacks: the reducer has a thread read a table on HDFS. */
public final class HdfsTableInReducersThread extends AcmeJob {
    /** The reducer. */
    public static final class Scale extends Reducer<Text, IntWritable, Text, IntWritable> {
        private Table table;

        @Override
        protected void setup(Context context) throws IOException {
            Path path = new Path(context.getConfiguration().get(Table.PLACE));
            Configuration conf = context.getConfiguration();
            ExecutorService one = Executors.newSingleThreadExecutor();
            try {
                table = one.submit(() -> Table.read(path.getFileSystem(conf).open(path)))
                        .get();
            } catch (InterruptedException | ExecutionException e) {
                throw new IOException(e);
            } finally {
                one.shutdown();
            }
        }

        @Override
        protected void reduce(Text key, Iterable<IntWritable> values, Context context)
                throws IOException, InterruptedException {
            int sum = 0;
            for (IntWritable value : values) {
                sum += value.get() * table.number(key.toString());
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
