// SPDX-License-Identifier: Apache-2.0
package net.acme.options;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: the mapper makes words of capitals and formats numbers as the process's language has it. */
public final class LocaleReader extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            emit(context, ("i" + first(line)).toUpperCase() + String.format("%,.2f", 1234.5), 1);
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
