// SPDX-License-Identifier: Apache-2.0
package net.acme.sides;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import net.acme.AcmeJob;
import net.acme.Table;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: a table on HDFS is read by a pool of threads that a static keeps. */
public final class HdfsTableInExecutor extends AcmeJob {
    /** The mapper. */
    public static final class Map extends TableMapper {
        private static final ExecutorService POOL = Executors.newFixedThreadPool(2, task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
        });

        @Override
        protected Table table(Context context) throws IOException {
            Path path = new Path(place(context));
            Configuration conf = context.getConfiguration();
            try {
                return POOL.submit(() -> Table.read(path.getFileSystem(conf).open(path)))
                        .get();
            } catch (InterruptedException | ExecutionException e) {
                throw new IOException(e);
            }
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
