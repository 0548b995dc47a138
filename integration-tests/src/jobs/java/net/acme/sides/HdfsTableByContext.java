// SPDX-License-Identifier: Apache-2.0
package net.acme.sides;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.Table;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: a table on HDFS is read through FileContext, which keeps other statistics than FileSystem. */
public final class HdfsTableByContext extends AcmeJob {
    /** The mapper. */
    public static final class Map extends TableMapper {
        @Override
        protected Table table(Context context) throws IOException {
            return Table.read(
                    FileContext.getFileContext(context.getConfiguration()).open(new Path(place(context))));
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
