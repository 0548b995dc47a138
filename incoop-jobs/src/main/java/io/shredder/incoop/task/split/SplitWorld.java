// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.split;

import io.shredder.incoop.format.PositionWatch;
import io.shredder.incoop.format.SplitReading;
import io.shredder.incoop.format.UnservedFormatException;
import io.shredder.incoop.input.InputFormats;
import io.shredder.incoop.input.InputTag;
import io.shredder.incoop.memo.Dependency;
import io.shredder.incoop.plan.PlannedSplit;
import io.shredder.incoop.task.NotedCounters;
import io.shredder.incoop.task.PlainRunNeededException;
import io.shredder.incoop.task.TaggedSplits;
import io.shredder.incoop.watch.Observer;
import io.shredder.incoop.world.ClientStatics;
import io.shredder.incoop.world.JobWorld;
import io.shredder.incoop.world.LocalFiles;
import io.shredder.incoop.world.Sightings;
import io.shredder.incoop.world.Worlds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.util.StringUtils;
import org.jspecify.annotations.Nullable;

/**
 * What surrounds the map of one of the splits of a job without reducers, so that its part file may be kept: classes of
 * its own, split and keys that tell when they are asked, counters that are noted. Used by the task's thread.
 */
public final class SplitWorld implements AutoCloseable {

    private final PlannedSplit.Part part;
    private final Sightings sightings;
    private final Worlds worlds;
    private final ClassLoader loader;
    private final @Nullable ClientStatics clientStatics;
    private final NotedCounters counters = new NotedCounters();
    private @Nullable Object seenSplit;
    private @Nullable Object lastKey;
    private @Nullable SplitReading reading;
    private @Nullable Made made;

    /**
     * How a result came about.
     *
     * @param asked whether the code asked where it is, so that the result is good for this run only
     * @param dependencies what it was made of beside the input
     */
    public record Made(boolean asked, List<Dependency> dependencies) {}

    /**
     * @param task a copy of the task's configuration
     * @param own the same as the job's own code would find it
     * @param split that is mapped, of either API
     * @param sightings told what the job's classes do
     */
    SplitWorld(Configuration task, JobConf own, Object split, Sightings sightings) {
        this.part = PlannedSplit.Part.of(TaggedSplits.of(split).part());
        this.sightings = sightings;
        LocalFiles localFiles = LocalFiles.of(own);
        this.worlds = new Worlds(own, () -> new Sightings(own, new PositionWatch(), localFiles, false));
        this.loader = worlds.next(sightings);
        this.clientStatics = JobWorld.around(task).isPresent() ? new ClientStatics(task) : null;
    }

    /** Finds the job's classes as they are in a new JVM. */
    ClassLoader loader() {
        return loader;
    }

    /** Where the split lies. */
    public PlannedSplit.Part part() {
        return part;
    }

    /** Those that the job's code and the framework use. */
    public NotedCounters counters() {
        return counters;
    }

    /** A split like this one, for the job's mapper: what it is asked is noticed. The reader has the real one. */
    @SuppressWarnings("unchecked")
    <S> S seen(S split) {
        if (seenSplit == null) {
            seenSplit = watched(split);
        }
        return (S) seenSplit;
    }

    private Object watched(Object split) {
        PositionWatch position = sightings.position();
        Observer observer = (sight, through, what, by) -> position.asked("it asks for " + what);
        if (split.getClass() == FileSplit.class) {
            FileSplit copy = newApi((FileSplit) split);
            position.watchSplit(copy, observer);
            return copy;
        }
        if (split.getClass() == org.apache.hadoop.mapred.FileSplit.class) {
            org.apache.hadoop.mapred.FileSplit copy = oldApi((org.apache.hadoop.mapred.FileSplit) split);
            position.watchSplit(copy, observer);
            return copy;
        }
        return split;
    }

    private static FileSplit newApi(FileSplit split) {
        return new FileSplit(split.getPath(), split.getStart(), split.getLength(), StringUtils.emptyStringArray);
    }

    private static org.apache.hadoop.mapred.FileSplit oldApi(org.apache.hadoop.mapred.FileSplit split) {
        return new org.apache.hadoop.mapred.FileSplit(
                split.getPath(), split.getStart(), split.getLength(), StringUtils.emptyStringArray);
    }

    /**
     * Notices from now on if anybody looks at a key that says where its record lies.
     *
     * @param conf the job's, which names its input format
     */
    void watchKey(@Nullable Object key, Configuration conf) throws IOException {
        if (key == lastKey || !(key instanceof LongWritable offset)) {
            return;
        }
        lastKey = key;
        if (reading(conf) != SplitReading.CONTENT) {
            sightings.position().watchOffset(offset);
        }
    }

    private SplitReading reading(Configuration conf) throws IOException {
        if (reading == null) {
            try {
                reading = InputFormats.records(InputTag.NONE, conf).splitReading();
            } catch (UnservedFormatException | ClassNotFoundException e) {
                throw new IOException(
                        "a job that was submitted with other classes on its class path: " + e.getMessage(), e);
            }
        }
        return reading;
    }

    /**
     * To be called when the mapper has ended well.
     *
     * @throws PlainRunNeededException if what it gave is not what a plain run gives
     */
    void mapped() throws PlainRunNeededException {
        Optional<List<Dependency>> seen = sightings.dependencies();
        List<Dependency> all = new ArrayList<>(seen.orElse(List.of()));
        if (clientStatics != null) {
            Optional<String> changed = clientStatics.changed(worlds.used());
            if (changed.isPresent()) {
                throw new PlainRunNeededException(ClientStatics.reason(changed.get()));
            }
            all.add(ClientStatics.asNew(worlds.used()));
        }
        made = new Made(seen.isEmpty(), all);
    }

    /** How the result came about, by now; empty if the mapper has not ended well. */
    public Optional<Made> made() {
        return Optional.ofNullable(made)
                .map(found -> new Made(found.asked() || sightings.position().wasAsked(), found.dependencies()));
    }

    @Override
    public void close() {
        worlds.close();
    }
}
