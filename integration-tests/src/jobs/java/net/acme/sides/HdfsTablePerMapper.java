// SPDX-License-Identifier: Apache-2.0
package net.acme.sides;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.Table;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: a table on HDFS is read by every mapper. */
public final class HdfsTablePerMapper extends AcmeJob {
    /** The mapper. */
    public static final class Map extends TableMapper {
        @Override
        protected Table table(Context context) throws IOException {
            Path path = new Path(place(context));
            return Table.read(path.getFileSystem(context.getConfiguration()).open(path));
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
