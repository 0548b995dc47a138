// SPDX-License-Identifier: Apache-2.0
package net.acme.setups;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: a field holds what a static field holds, and each map asks whether they are one. */
public final class SharedWithStatics extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        private static final Object NONE = new Object();
        private static final java.util.Map<String, Object> TABLE = new HashMap<>();

        static {
            TABLE.put("w1", NONE);
        }

        private Object none;
        private java.util.Map<String, Object> table;

        @Override
        protected void setup(Context context) {
            none = NONE;
            table = TABLE;
        }

        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            emit(context, first(line) + (table.get(first(line)) == none) + (table == TABLE), 1);
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
