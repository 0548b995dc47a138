// SPDX-License-Identifier: Apache-2.0
package net.acme.context;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: a thread of the mapper writes to the context. */
public final class ContextInThread extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            Thread writer = new Thread(() -> {
                try {
                    emit(context, first(line), 1);
                } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            writer.start();
            writer.join();
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
