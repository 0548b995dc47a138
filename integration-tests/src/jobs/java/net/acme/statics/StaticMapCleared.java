// SPDX-License-Identifier: Apache-2.0
package net.acme.statics;

import java.io.IOException;
import java.util.List;
import java.util.TreeMap;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: a static map adds up words, is written in cleanup and cleared. */
public final class StaticMapCleared extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        private static final java.util.Map<String, Integer> COUNTS = new TreeMap<>();

        @Override
        protected void line(String line, Context context) {
            COUNTS.merge(first(line), 1, Integer::sum);
        }

        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            for (java.util.Map.Entry<String, Integer> count : COUNTS.entrySet()) {
                emit(context, count.getKey(), count.getValue());
            }
            COUNTS.clear();
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
