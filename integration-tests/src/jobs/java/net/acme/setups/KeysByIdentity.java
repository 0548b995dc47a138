// SPDX-License-Identifier: Apache-2.0
package net.acme.setups;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: setup fills a hash table whose keys are equal to themselves alone. */
public final class KeysByIdentity extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        private final List<Object> keys = new ArrayList<>();
        private final java.util.Map<Object, String> names = new HashMap<>();
        private final java.util.Set<List<Object>> groups = new HashSet<>();

        @Override
        protected void setup(Context context) {
            for (int i = 0; i < 64; i++) {
                keys.add(new Key());
                names.put(keys.get(i), "key" + i);
                groups.add(List.of(keys.get(i)));
            }
        }

        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            Object key = keys.get(line.length() % keys.size());
            emit(context, names.get(key) + groups.contains(List.of(key)), 1);
        }

        private static final class Key {}
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
