// SPDX-License-Identifier: Apache-2.0
package net.acme.statics;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: a static counts lines and is written in cleanup, as it may where each map has a JVM of its own. */
public final class StaticCounter extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        private static int lines;

        @Override
        protected void line(String line, Context context) {
            lines++;
        }

        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            emit(context, "lines", lines);
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
