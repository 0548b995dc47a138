// SPDX-License-Identifier: Apache-2.0
package net.acme.options;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: an option is read by another thread. */
public final class OptionInThread extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        private final AtomicReference<String> value = new AtomicReference<>();

        @Override
        protected void setup(Context context) throws InterruptedException {
            Configuration conf = context.getConfiguration();
            Thread reader = new Thread(() -> value.set(conf.get("file.acme.x")));
            reader.start();
            reader.join();
        }

        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            emit(context, first(line) + "/" + value.get(), 1);
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
