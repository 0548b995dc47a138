// SPDX-License-Identifier: Apache-2.0
package net.acme.outputs;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: a mapper that saw no line says so in cleanup; a plain run has one map for each empty file. */
public final class CleanupOfEmptyFile extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        private int lines;

        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            lines++;
            emit(context, first(line), 1);
        }

        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            if (lines == 0) {
                emit(context, "an empty file", 1);
            }
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
