// SPDX-License-Identifier: Apache-2.0
package net.acme.options;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: the mapper copies its configuration and asks the copy. */
public final class OptionInCopy extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        private Configuration copy;

        @Override
        protected void setup(Context context) {
            copy = new Configuration(context.getConfiguration());
        }

        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            emit(context, first(line) + "/" + copy.get("fs.acme.x"), 1);
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
