// SPDX-License-Identifier: Apache-2.0
package net.acme.context;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;

/** Attacks: the mapper asks for the name of its split's file. */
public final class SplitName extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            emit(
                    context,
                    first(line) + "/"
                            + ((FileSplit) context.getInputSplit()).getPath().getName(),
                    1);
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
