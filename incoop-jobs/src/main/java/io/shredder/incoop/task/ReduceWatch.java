// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task;

import io.shredder.incoop.format.PositionWatch;
import io.shredder.incoop.memo.Dependency;
import io.shredder.incoop.watch.JvmWatch;
import io.shredder.incoop.world.JobCode;
import io.shredder.incoop.world.LocalFiles;
import io.shredder.incoop.world.Sightings;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees what a job's code does in a reduce task, as reducer or as combiner. It runs there as in a plain run, so it may do anything; what it
 * gives is kept only if that follows from its input and what it was seen reading. Other reduce tasks of the same JVM are seen, too:
 * statics are shared there.
 */
final class ReduceWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ReduceWatch.class);

    private final PositionWatch position = new PositionWatch();
    private final Sightings sightings;
    private final JvmWatch.Watching watching;

    /** Whose code is watched, and which files it may read; takes a moment to find out. */
    record Scope(JobCode code, LocalFiles localFiles) {

        static Scope of(Configuration task) {
            return new Scope(new JobCode(task), LocalFiles.of(task));
        }
    }

    ReduceWatch(Configuration task, Scope scope) {
        this.sightings = new Sightings(task, position, scope.localFiles(), true);
        this.watching = JvmWatch.watch(scope.code()::contains, sightings);
    }

    PositionWatch position() {
        return position;
    }

    /** The configuration that the job's code is to see. */
    JobConf conf(JobConf own) {
        return new WatchedConf(own, sightings, position);
    }

    /** What the result was made of beside its input; empty if it may not be kept. */
    Optional<List<Dependency>> dependencies() {
        if (position.wasAsked()) {
            LOG.info(
                    "incoop: what is reduced here is not kept for reuse: {}",
                    position.reason().orElse(""));
            return Optional.empty();
        }
        return sightings.dependencies();
    }

    @Override
    public void close() {
        watching.close();
        position.close();
    }
}
