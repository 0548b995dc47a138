// SPDX-License-Identifier: Apache-2.0
package net.acme.options;

import java.io.IOException;
import java.util.List;
import java.util.TreeMap;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: the mapper goes through all options for those of a prefix. */
public final class OptionsByPrefix extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        private String all = "";

        @Override
        protected void setup(Context context) {
            TreeMap<String, String> found = new TreeMap<>();
            for (java.util.Map.Entry<String, String> option : context.getConfiguration()) {
                if (option.getKey().startsWith("hadoop.acme.")) {
                    found.put(option.getKey(), option.getValue());
                }
            }
            all = found.toString();
        }

        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            emit(context, first(line) + all, 1);
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
