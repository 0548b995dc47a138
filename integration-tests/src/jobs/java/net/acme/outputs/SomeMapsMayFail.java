// SPDX-License-Identifier: Apache-2.0
package net.acme.outputs;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: maps may fail by mapreduce.map.failures.maxpercent, and one does. */
public final class SomeMapsMayFail extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            if (first(line).equals("w9")) {
                throw new IOException("poison");
            }
            emit(context, first(line), 1);
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
        job.getConfiguration().setInt("mapreduce.map.failures.maxpercent", 50);
        job.setMaxMapAttempts(1);
    }
}
