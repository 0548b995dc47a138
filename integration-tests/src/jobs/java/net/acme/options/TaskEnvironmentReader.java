// SPDX-License-Identifier: Apache-2.0
package net.acme.options;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: the mapper reads a variable that mapreduce.map.env sets in its container. */
public final class TaskEnvironmentReader extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            emit(context, first(line) + "/" + System.getenv("ACME_X"), 1);
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
