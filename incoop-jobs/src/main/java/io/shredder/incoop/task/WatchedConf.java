// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task;

import io.shredder.incoop.format.PositionWatch;
import java.util.Iterator;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.jspecify.annotations.Nullable;

/**
 * A mapper's configuration, which notices being asked for what differs between tasks or runs of the same job, under any of its
 * names. Whoever copies it or lists all of it has asked for everything: what is done with the copy can't be seen.
 */
final class WatchedConf extends JobConf {

    private static final Set<String> KEYS_OF_A_PLACE = Set.of(
            MRJobConfig.ID,
            "mapred.job.id",
            MRJobConfig.JOB_NAME,
            "mapred.job.name",
            MRJobConfig.TASK_ID,
            "mapred.tip.id",
            MRJobConfig.TASK_ATTEMPT_ID,
            "mapred.task.id",
            MRJobConfig.TASK_PARTITION,
            "mapred.task.partition",
            MRJobConfig.MAP_INPUT_FILE,
            "map.input.file",
            MRJobConfig.MAP_INPUT_START,
            "map.input.start",
            MRJobConfig.MAP_INPUT_PATH,
            "map.input.length",
            MRJobConfig.MAPREDUCE_JOB_DIR,
            FileInputFormat.INPUT_DIR,
            "mapred.input.dir",
            FileOutputFormat.OUTDIR,
            "mapred.output.dir");

    private final @Nullable PositionWatch watch;

    /** Whether this thread is inside a call that reads or writes single keys. */
    private final @Nullable ThreadLocal<Boolean> inside;

    WatchedConf(Configuration conf, PositionWatch watch) {
        super(conf);
        this.watch = watch;
        this.inside = ThreadLocal.withInitial(() -> false);
    }

    @Override
    public String get(String name) {
        notice(name);
        return quietly(() -> super.get(name));
    }

    @Override
    public String get(String name, String defaultValue) {
        notice(name);
        return quietly(() -> super.get(name, defaultValue));
    }

    @Override
    public String getRaw(String name) {
        notice(name);
        return quietly(() -> super.getRaw(name));
    }

    @Override
    public void set(String name, String value, String source) {
        quietly(() -> {
            super.set(name, value, source);
            return value;
        });
    }

    @Override
    public synchronized void unset(String name) {
        quietly(() -> {
            super.unset(name);
            return name;
        });
    }

    @Override
    public Map<String, String> getPropsWithPrefix(String prefix) {
        if (KEYS_OF_A_PLACE.stream().anyMatch(key -> key.startsWith(prefix))) {
            notice(MRJobConfig.ID);
        }
        return quietly(() -> super.getPropsWithPrefix(prefix));
    }

    @Override
    public boolean onlyKeyExists(String name) {
        return quietly(() -> super.onlyKeyExists(name));
    }

    @Override
    public Iterator<Map.Entry<String, String>> iterator() {
        notice(MRJobConfig.ID);
        return super.iterator();
    }

    /** Asked for by every access; by itself only by those that take all keys, such as the copy constructor. */
    @Override
    protected synchronized Properties getProps() {
        if (inside != null && !inside.get()) {
            notice(MRJobConfig.ID);
        }
        return super.getProps();
    }

    private <T> T quietly(Supplier<T> access) {
        // The super constructor asks for keys before there is a watch.
        if (inside == null || inside.get()) {
            return access.get();
        }
        inside.set(true);
        try {
            return access.get();
        } finally {
            inside.remove();
        }
    }

    private void notice(String name) {
        if (watch != null && KEYS_OF_A_PLACE.contains(name)) {
            watch.asked();
        }
    }
}
