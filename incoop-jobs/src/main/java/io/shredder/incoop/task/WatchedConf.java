// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task;

import io.shredder.incoop.format.PositionWatch;
import io.shredder.incoop.identity.JobIdentity;
import io.shredder.incoop.watch.JvmWatch;
import io.shredder.incoop.world.Sightings;
import java.util.Iterator;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.jspecify.annotations.Nullable;

/**
 * The configuration that a job's code sees. It notices being asked, under any of a key's names, for three things. What
 * differs between runs of the same job makes the result good for this run only. What belongs to a task makes the job
 * run plainly, for a chunk has no task. For keys that the job's identity leaves out, the result depends on their
 * values. Whoever copies it or lists all of it could ask the copy for anything. What Hadoop reads for itself is not
 * noticed.
 */
public final class WatchedConf extends JobConf {

    private static final Set<String> OF_THE_RUN = Set.of(
            MRJobConfig.ID,
            "mapred.job.id",
            MRJobConfig.JOB_NAME,
            "mapred.job.name",
            MRJobConfig.MAP_INPUT_FILE,
            "map.input.file",
            MRJobConfig.MAPREDUCE_JOB_DIR,
            FileInputFormat.INPUT_DIR,
            "mapred.input.dir",
            FileOutputFormat.OUTDIR,
            "mapred.output.dir");

    private static final Set<String> OF_THE_TASK = Set.of(
            MRJobConfig.TASK_ID,
            "mapred.tip.id",
            MRJobConfig.TASK_ATTEMPT_ID,
            "mapred.task.id",
            MRJobConfig.TASK_PARTITION,
            "mapred.task.partition",
            MRJobConfig.TASK_OUTPUT_DIR,
            "mapred.work.output.dir",
            MRJobConfig.MAP_INPUT_START,
            "map.input.start",
            MRJobConfig.MAP_INPUT_PATH,
            "map.input.length");

    /** Where Hadoop has put what the identity covers by its contents. */
    private static final Set<String> OF_CACHE_FILES = Set.of(
            MRJobConfig.CACHE_LOCALFILES,
            "mapred.cache.localFiles",
            MRJobConfig.CACHE_LOCALARCHIVES,
            "mapred.cache.localArchives",
            MRJobConfig.CACHE_FILES,
            "mapred.cache.files",
            MRJobConfig.CACHE_ARCHIVES,
            "mapred.cache.archives");

    private final @Nullable Sightings sightings;
    private final @Nullable PositionWatch watch;
    private final Set<String> noticed = ConcurrentHashMap.newKeySet();

    /** Whether this thread is inside a call that reads or writes single keys. */
    private final @Nullable ThreadLocal<Boolean> inside;

    public WatchedConf(Configuration conf, Sightings sightings, PositionWatch watch) {
        super(conf);
        this.sightings = sightings;
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
        noticeAll();
        return quietly(() -> super.getPropsWithPrefix(prefix));
    }

    @Override
    public boolean onlyKeyExists(String name) {
        notice(name);
        return quietly(() -> super.onlyKeyExists(name));
    }

    @Override
    public Iterator<Map.Entry<String, String>> iterator() {
        noticeAll();
        return super.iterator();
    }

    /** Asked for by every access; by itself only by those that take all keys, such as the copy constructor. */
    @Override
    protected synchronized Properties getProps() {
        if (inside != null && !inside.get()) {
            noticeAll();
        }
        return super.getProps();
    }

    /** A copy of all that is set now, of which nobody takes note. */
    public Properties properties() {
        return quietly(() -> {
            Properties all = new Properties();
            all.putAll(super.getProps());
            return all;
        });
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
        if (sightings == null || watch == null || inside == null || inside.get()) {
            return;
        }
        if (OF_THE_TASK.contains(name)) {
            if (JvmWatch.isJobAsking()) {
                sightings.onlyPlain("it asks for its task (" + name + "), and a chunk has none");
            }
        } else if (OF_THE_RUN.contains(name)) {
            if (JvmWatch.isJobAsking()) {
                watch.asked("it asks for " + name);
            }
        } else if (!OF_CACHE_FILES.contains(name)
                && !JobIdentity.counts(name)
                && JvmWatch.isJobItselfAsking()
                && noticed.add(name)) {
            sightings.readConfiguration(name, this);
        }
    }

    private void noticeAll() {
        if (sightings != null && JvmWatch.isJobAsking() && !sightings.isForPrograms()) {
            sightings.onlyPlain("it copies or lists its configuration, in which its task's ids stand");
        }
    }
}
