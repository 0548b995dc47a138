// SPDX-License-Identifier: Apache-2.0
package net.acme.context;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.mapreduce.Job;

/** Attacks nothing: setup and cleanup write, too, what is the same however often. */
public final class SetupAndCleanup extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        @Override
        protected void setup(Context context) throws IOException, InterruptedException {
            emit(context, "set up", 0);
        }

        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            emit(context, first(line), 1);
        }

        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            emit(context, "cleaned up", 0);
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
