// SPDX-License-Identifier: Apache-2.0
package net.acme.sides;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.Table;
import net.acme.WordMapper;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Reducer;

/** Attacks: the reducer's table comes from a server. */
public final class TableBySocketInReducer extends AcmeJob {
    /** The reducer. */
    public static final class Scale extends Reducer<Text, IntWritable, Text, IntWritable> {
        private Table table;

        @Override
        protected void setup(Context context) throws IOException {
            int port = context.getConfiguration().getInt("net.acme.port", 0);
            try (Socket server = new Socket(InetAddress.getLoopbackAddress(), port)) {
                table = Table.read(server.getInputStream());
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
