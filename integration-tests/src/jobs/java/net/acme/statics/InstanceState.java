// SPDX-License-Identifier: Apache-2.0
package net.acme.statics;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.mapreduce.Job;

/** Attacks nothing: words are added up in a field of the mapper and written in cleanup, as textbooks do. */
public final class InstanceState extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        private final java.util.Map<String, Integer> counts = new HashMap<>();

        @Override
        protected void line(String line, Context context) {
            counts.merge(first(line), 1, Integer::sum);
        }

        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            for (java.util.Map.Entry<String, Integer> count : counts.entrySet()) {
                emit(context, count.getKey(), count.getValue());
            }
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
