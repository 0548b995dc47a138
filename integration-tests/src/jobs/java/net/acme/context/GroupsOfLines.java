// SPDX-License-Identifier: Apache-2.0
package net.acme.context;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.NLineInputFormat;

/** Attacks: each mapper gets 50 lines, and counts its lines. */
public final class GroupsOfLines extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        private int lines;

        @Override
        protected void line(String line, Context context) {
            lines++;
        }

        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            emit(context, "groups of " + lines, 1);
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
        job.setInputFormatClass(NLineInputFormat.class);
        NLineInputFormat.setNumLinesPerSplit(job, 400);
    }
}
