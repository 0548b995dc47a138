// SPDX-License-Identifier: Apache-2.0
package net.acme.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.Sum;
import net.acme.WordMapper;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: a thread of the reducer writes a file on HDFS. */
public final class ReducerFileInThread extends AcmeJob {
    /** The reducer. */
    public static final class Leave extends Sum {
        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            Path path = new Path(context.getConfiguration().get("net.acme.left"), "reduced");
            Configuration conf = context.getConfiguration();
            Thread writer = new Thread(() -> {
                try {
                    path.getFileSystem(conf).create(path, true).close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            writer.start();
            writer.join();
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(WordMapper.class);
        job.setReducerClass(Leave.class);
        job.setNumReduceTasks(1);
    }
}
