// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.reduce;

import io.shredder.incoop.format.PositionWatch;
import io.shredder.incoop.memo.Dependency;
import io.shredder.incoop.task.WatchedConf;
import io.shredder.incoop.watch.JvmWatch;
import io.shredder.incoop.world.ClientStatics;
import io.shredder.incoop.world.JobCode;
import io.shredder.incoop.world.JobWorld;
import io.shredder.incoop.world.LocalFiles;
import io.shredder.incoop.world.Sightings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees what a job's code does in a reduce task, as combiner, comparator, reducer or whatever else. It runs there as in
 * a plain run, so it may do anything; what it gives is kept only if that follows from its input and what it was seen
 * reading. In the client's process the reduce tasks of a job share its statics, and what one of them was seen doing
 * counts for all. Begins with the task, found by the task's configuration, as {@link
 * io.shredder.incoop.task.output.ReduceHandOff} is.
 */
final class ReduceWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ReduceWatch.class);

    /** By identity: a configuration is equal to itself only. */
    private static final Map<Configuration, ReduceWatch> BY_TASK = Collections.synchronizedMap(new WeakHashMap<>());

    private final Configuration task;
    private final Optional<JobWorld> world;
    private final Sightings sightings;
    private final JvmWatch.Watching watching;
    private final JvmWatch.Watching watchingLoaders = JvmWatch.watchLoaders();

    private ReduceWatch(Configuration task) {
        this.task = task;
        this.world = JobWorld.around(task);
        Supplier<Sightings> first = () -> new Sightings(task, new PositionWatch(), LocalFiles.of(task), true);
        this.sightings = world.map(shared -> shared.sightings(first)).orElseGet(first);
        this.watching = JvmWatch.watch(new JobCode(task)::contains, sightings);
    }

    /** Begins to watch a task; ended by {@link #close}. */
    static ReduceWatch begin(Configuration task) {
        ReduceWatch watch = new ReduceWatch(task);
        BY_TASK.put(task, watch);
        return watch;
    }

    /** That of the task. */
    static ReduceWatch of(Configuration task) {
        ReduceWatch watch = BY_TASK.get(task);
        if (watch == null) {
            throw new IllegalStateException("a reduce task that nobody watches: a bug");
        }
        return watch;
    }

    PositionWatch position() {
        return sightings.position();
    }

    /** The configuration that the job's code is to see. */
    JobConf conf(JobConf own) {
        return new WatchedConf(own, sightings, position());
    }

    /** Whether all that was made so far follows from its input alone. */
    boolean sawNothing() {
        return !position().wasAsked()
                && sightings.dependencies().filter(List::isEmpty).isPresent();
    }

    /** What the result was made of beside its input; empty if it may not be kept. */
    Optional<List<Dependency>> dependencies() {
        if (position().wasAsked()) {
            LOG.info(
                    "incoop: what is reduced here is not kept for reuse: {}",
                    position().reason().orElse(""));
            return Optional.empty();
        }
        return sightings.dependencies().map(this::withStatics);
    }

    private List<Dependency> withStatics(List<Dependency> seen) {
        List<Dependency> all = new ArrayList<>(seen);
        world.ifPresent(classes -> all.add(ClientStatics.asNew(classes.defined())));
        return all;
    }

    /** Why what was made here is not what a plain run makes, if so: its classes are loaded anew here. */
    Optional<String> plainReason() {
        return world.flatMap(classes -> new ClientStatics(task).changed(classes.defined()))
                .map(ClientStatics::reason);
    }

    @Override
    public void close() {
        BY_TASK.remove(task);
        watching.close();
        watchingLoaders.close();
        if (world.isEmpty()) {
            position().close();
        }
    }
}
