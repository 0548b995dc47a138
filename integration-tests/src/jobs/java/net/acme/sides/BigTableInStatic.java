// SPDX-License-Identifier: Apache-2.0
package net.acme.sides;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.Table;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: a table of 10 MB on HDFS is read once into a static. */
public final class BigTableInStatic extends AcmeJob {
    /** The mapper. */
    public static final class Map extends TableMapper {
        private static Table kept;

        @Override
        protected Table table(Context context) throws IOException {
            synchronized (Map.class) {
                if (kept == null) {
                    Path path = new Path(place(context));
                    kept = Table.read(
                            path.getFileSystem(context.getConfiguration()).open(path));
                }
                return kept;
            }
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
