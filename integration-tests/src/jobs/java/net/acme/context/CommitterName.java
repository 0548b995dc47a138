// SPDX-License-Identifier: Apache-2.0
package net.acme.context;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: the mapper asks for the class of its output committer. */
public final class CommitterName extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            emit(
                    context,
                    first(line) + "/" + context.getOutputCommitter().getClass().getSimpleName(),
                    1);
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
