// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.world;

import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * The classes of a job that runs in the client's process, as its tasks find them: loaded anew, as in a JVM of their
 * own, so that what the program has put in their statics is not there. Reduce tasks share them, so what one of them was
 * seen doing counts for all. Safe for use by several threads.
 */
public final class JobWorld extends WorldLoader {

    static {
        registerAsParallelCapable();
    }

    private @Nullable Sightings sightings;

    private JobWorld(JobCode code) {
        super(code, NOBODY);
    }

    /** A new one for the job that has this configuration. */
    public static JobWorld of(Configuration job) {
        return new JobWorld(new JobCode(job));
    }

    /** That in which the task of this configuration runs, if it runs in one. */
    public static Optional<JobWorld> around(Configuration task) {
        for (ClassLoader each = task.getClassLoader(); each != null; each = each.getParent()) {
            if (each instanceof JobWorld world) {
                return Optional.of(world);
            }
        }
        return Optional.empty();
    }

    /**
     * What is seen of its classes: from the first call on, until nobody uses them.
     *
     * @param first makes it
     */
    public synchronized Sightings sightings(Supplier<Sightings> first) {
        if (sightings == null) {
            sightings = first.get();
            observe(sightings);
        }
        return sightings;
    }
}
