// SPDX-License-Identifier: Apache-2.0
package net.acme.setups;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: setup starts a thread that fills a table later; maps wait for it. */
public final class FilledByThread extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        private final java.util.Map<String, Integer> weights = new HashMap<>();
        private boolean filled;

        @Override
        protected void setup(Context context) {
            new Thread(this::fill).start();
        }

        private void fill() {
            try {
                Thread.sleep(60);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            synchronized (this) {
                for (int i = 0; i < 500; i++) {
                    weights.put("w" + i, i % 5);
                }
                filled = true;
                notifyAll();
            }
        }

        @Override
        protected synchronized void line(String line, Context context) throws IOException, InterruptedException {
            while (!filled) {
                wait(1000);
            }
            emit(context, first(line), weights.getOrDefault(first(line), -1));
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
