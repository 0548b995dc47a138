// SPDX-License-Identifier: Apache-2.0
package net.acme.sides;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import net.acme.AcmeJob;
import net.acme.Table;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: a table on HDFS is read by a thread that the mapper starts. */
public final class HdfsTableInThread extends AcmeJob {
    /** The mapper. */
    public static final class Map extends TableMapper {
        @Override
        protected Table table(Context context) throws IOException {
            AtomicReference<Table> read = new AtomicReference<>();
            Path path = new Path(place(context));
            Configuration conf = context.getConfiguration();
            Thread reader = new Thread(() -> {
                try {
                    read.set(Table.read(path.getFileSystem(conf).open(path)));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            reader.start();
            try {
                reader.join();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            return read.get();
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
