// SPDX-License-Identifier: Apache-2.0
package net.acme.context;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: the mapper asks for the number of its task. */
public final class TaskNumber extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            emit(
                    context,
                    first(line) + "/" + context.getTaskAttemptID().getTaskID().getId(),
                    1);
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
