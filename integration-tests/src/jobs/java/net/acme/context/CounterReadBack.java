// SPDX-License-Identifier: Apache-2.0
package net.acme.context;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: the mapper counts by a counter, and writes what that says in cleanup. */
public final class CounterReadBack extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            context.getCounter("acme", "lines").increment(1);
            emit(context, first(line), 1);
        }

        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            emit(context, "lines", (int) context.getCounter("acme", "lines").getValue());
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
