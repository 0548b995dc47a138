// SPDX-License-Identifier: Apache-2.0
package net.acme.sides;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import net.acme.Table;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: the mapper asks whether a file on HDFS is there, once for its JVM. */
public final class HdfsFlag extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        private static Boolean flagged;

        @Override
        protected void setup(Context context) throws IOException {
            synchronized (Map.class) {
                if (flagged == null) {
                    Path flag = new Path(new Path(context.getConfiguration().get(Table.PLACE)).getParent(), "flag");
                    flagged = flag.getFileSystem(context.getConfiguration()).exists(flag);
                }
            }
        }

        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            emit(context, first(line), flagged ? 2 : 1);
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
