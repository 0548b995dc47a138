// SPDX-License-Identifier: Apache-2.0
package net.acme.options;

import java.io.IOException;
import java.util.List;
import java.util.TreeMap;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: an option is read only in cleanup, of a configuration that a static keeps. */
public final class OptionInCleanup extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        private static volatile Configuration kept;
        private final TreeMap<String, Integer> counts = new TreeMap<>();

        @Override
        protected void setup(Context context) {
            kept = context.getConfiguration();
        }

        @Override
        protected void line(String line, Context context) {
            counts.merge(first(line), 1, Integer::sum);
        }

        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            for (java.util.Map.Entry<String, Integer> count : counts.entrySet()) {
                emit(context, count.getKey() + "/" + kept.get("ha.acme.x"), count.getValue());
            }
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
