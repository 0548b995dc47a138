// SPDX-License-Identifier: Apache-2.0
package net.acme.options;

import java.io.IOException;
import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: the mapper formats a time in the process's time zone. */
public final class TimeZoneReader extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        private final SimpleDateFormat format = new SimpleDateFormat("yyyy-MM-dd HH", Locale.ROOT);

        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            emit(context, format.format(new Date(3_600_000L * (line.length() % 48))), 1);
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
