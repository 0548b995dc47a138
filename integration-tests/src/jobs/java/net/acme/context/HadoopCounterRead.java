// SPDX-License-Identifier: Apache-2.0
package net.acme.context;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: the mapper writes Hadoop's own count of its records in cleanup. */
public final class HadoopCounterRead extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            emit(context, first(line), 1);
        }

        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            emit(context, "records", (int)
                    context.getCounter("org.apache.hadoop.mapreduce.TaskCounter", "MAP_INPUT_RECORDS")
                            .getValue());
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
