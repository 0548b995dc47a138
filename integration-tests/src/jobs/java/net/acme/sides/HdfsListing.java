// SPDX-License-Identifier: Apache-2.0
package net.acme.sides;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import net.acme.Table;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: the mapper lists a folder on HDFS and opens nothing. */
public final class HdfsListing extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        private int files;

        @Override
        protected void setup(Context context) throws IOException {
            Path folder = new Path(context.getConfiguration().get(Table.PLACE)).getParent();
            files = folder.getFileSystem(context.getConfiguration()).listStatus(folder).length;
        }

        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            emit(context, first(line), files);
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
