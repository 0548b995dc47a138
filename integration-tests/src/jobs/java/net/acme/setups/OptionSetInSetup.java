// SPDX-License-Identifier: Apache-2.0
package net.acme.setups;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: setup changes its configuration, and maps read it. */
public final class OptionSetInSetup extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        @Override
        protected void setup(Context context) {
            context.getConfiguration().set("net.acme.prefix", "from setup ");
        }

        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            emit(context, context.getConfiguration().get("net.acme.prefix") + first(line), 1);
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
