// SPDX-License-Identifier: Apache-2.0
package net.acme.outputs;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: the mapper fails at a certain line; a job must fail in both ways. */
public final class MapperFails extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            if (first(line).equals("w9")) {
                throw new IOException("not this word");
            }
            emit(context, first(line), 1);
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
