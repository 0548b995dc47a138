// SPDX-License-Identifier: Apache-2.0
package net.acme.setups;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.mapreduce.Job;

/** Attacks nothing: setup takes long and fills a table in a field, which each map looks up. */
public final class TableInField extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        private final java.util.Map<String, Integer> weights = new HashMap<>();

        @Override
        protected void setup(Context context) throws InterruptedException {
            Thread.sleep(context.getConfiguration().getInt("net.acme.millis", 0));
            for (int i = 0; i < 500; i++) {
                weights.put("w" + i, i % 7);
            }
        }

        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            emit(context, first(line), weights.getOrDefault(first(line), -1));
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
