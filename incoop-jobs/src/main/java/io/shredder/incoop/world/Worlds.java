// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.world;

import io.shredder.incoop.watch.JvmWatch;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.WritableComparator;
import org.apache.hadoop.util.ReflectionUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Class loaders for one chunk after the other, each of which finds the job's statics as they are in a new JVM. A loader
 * serves again if its statics are, after a chunk, what those of a new loader are ({@link Statics}): then nothing can
 * have passed from chunk to chunk, and its compiled code stays. One thread.
 */
public final class Worlds implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Worlds.class);

    private final JobCode code;
    private final JvmWatch.Watching watching;
    private final Supplier<Sightings> newSightings;
    private final Sightings loading;
    private final Inside inside = Inside.of(type -> type.getClassLoader() instanceof WorldLoader);
    private @Nullable WorldLoader used;
    private @Nullable WorldLoader fresh;
    private boolean shareable = true;

    /**
     * @param conf the task's
     * @param newSightings makes one that has seen nothing
     */
    public Worlds(Configuration conf, Supplier<Sightings> newSightings) {
        this.code = new JobCode(conf);
        this.newSightings = newSightings;
        this.loading = newSightings.get();
        this.watching = JvmWatch.watchLoaders();
    }

    /**
     * A loader for the next chunk; the last one is not used any more. What classes do as they are loaded is told for
     * each chunk that they serve.
     *
     * @param sightings told what the classes of the job do from now on
     */
    public ClassLoader next(Sightings sightings) {
        if (used != null && !canServeAgain(used)) {
            forget(used);
            // Not the one that was compared with: its classes are loaded, and would not tell again what they ask for
            // then.
            used = null;
            fresh = null;
        }
        if (used == null) {
            used = new WorldLoader(code, sightings);
        } else {
            sightings.include(loading);
        }
        used.observe(sightings);
        return used;
    }

    /** The classes of the job that the chunks since the last new loader have used. */
    public Collection<Class<?>> used() {
        return used == null ? List.of() : used.defined();
    }

    /**
     * Has an object of the job that was just set up copied for later chunks, before it is used.
     *
     * @param object of a class that the present loader has loaded
     * @param ofChunk things of the present chunk that it may hold
     * @param sightings of all that has happened to the chunk so far
     * @param whyNot told why, if it is not sure that a copy would do
     * @return what serves until {@link #next} gives another loader
     */
    public Optional<Prepared> prepare(
            Object object, List<Object> ofChunk, Sightings sightings, Consumer<String> whyNot) {
        if (used == null || !shareable) {
            whyNot.accept("the statics of the job's classes change");
            return Optional.empty();
        }
        if (!sightings.canBeIncluded()) {
            whyNot.accept("it asked for its place or started a program");
            return Optional.empty();
        }
        Sightings seen = newSightings.get();
        seen.include(sightings);
        try {
            return Optional.of(Prepared.of(inside, Statics.reached(used.defined(), inside), object, ofChunk, seen));
        } catch (ObjectCopy.NotCopiedException e) {
            whyNot.accept(String.valueOf(e.getMessage()));
        } catch (IllegalAccessException | RuntimeException e) {
            whyNot.accept("statics can't be looked at: " + e);
        }
        return Optional.empty();
    }

    private boolean canServeAgain(WorldLoader last) {
        if (!shareable) {
            return false;
        }
        if (fresh == null) {
            fresh = new WorldLoader(code, loading);
        }
        // A job whose statics have changed once will change them again: looking would cost, not help.
        shareable = Statics.firstChanged(last.defined(), fresh, inside).isEmpty();
        return shareable;
    }

    /** Has Hadoop let go of a loader's classes, which it keeps by class and for ever. */
    private static void forget(WorldLoader world) {
        try {
            Method clear = ReflectionUtils.class.getDeclaredMethod("clearCache");
            clear.setAccessible(true);
            clear.invoke(null);
            Field comparators = WritableComparator.class.getDeclaredField("comparators");
            comparators.setAccessible(true);
            ((Map<?, ?>) comparators.get(null))
                    .keySet()
                    .removeIf(type -> type instanceof Class<?> known && world.equals(known.getClassLoader()));
        } catch (NoSuchMethodException
                | NoSuchFieldException
                | IllegalAccessException
                | InvocationTargetException
                | RuntimeException e) {
            LOG.debug("classes of a chunk stay in Hadoop's caches", e);
        }
    }

    @Override
    public void close() {
        if (used != null) {
            used.observe(WorldLoader.NOBODY);
            forget(used);
        }
        loading.settle();
        watching.close();
    }
}
