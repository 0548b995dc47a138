// SPDX-License-Identifier: Apache-2.0
package net.acme.setups;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: setup keeps a counter, which maps increment. */
public final class CounterInField extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        private Counter lines;

        @Override
        protected void setup(Context context) {
            lines = context.getCounter("acme", "lines");
        }

        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            lines.increment(1);
            emit(context, first(line), 1);
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
