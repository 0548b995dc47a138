// SPDX-License-Identifier: Apache-2.0
package net.acme.setups;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: setup puts a table where its thread alone finds it. */
public final class ThreadLocalInSetup extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        private static final ThreadLocal<java.util.Map<String, Integer>> SEEN = new ThreadLocal<>();

        @Override
        protected void setup(Context context) {
            SEEN.set(new HashMap<>());
        }

        @Override
        protected void line(String line, Context context) {
            SEEN.get().merge(first(line), 1, Integer::sum);
        }

        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            for (java.util.Map.Entry<String, Integer> count : SEEN.get().entrySet()) {
                emit(context, count.getKey(), count.getValue());
            }
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
