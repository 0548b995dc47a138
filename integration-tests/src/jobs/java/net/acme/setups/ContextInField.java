// SPDX-License-Identifier: Apache-2.0
package net.acme.setups;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: setup keeps its context and its configuration in fields, and each map writes through them. */
public final class ContextInField extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        private Context kept;
        private Configuration options;

        @Override
        protected void setup(Context context) {
            kept = context;
            options = context.getConfiguration();
        }

        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            emit(kept, first(line) + (kept == context) + (options == context.getConfiguration()), 1);
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
