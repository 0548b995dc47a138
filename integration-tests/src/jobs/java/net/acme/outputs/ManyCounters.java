// SPDX-License-Identifier: Apache-2.0
package net.acme.outputs;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: 106 counters of the 120 that a job may have. */
public final class ManyCounters extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            context.getCounter("acme", "counter " + Math.floorMod(line.hashCode(), 106))
                    .increment(1);
            emit(context, first(line), 1);
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
