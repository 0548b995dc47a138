// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.chunk;

import io.shredder.incoop.input.InputTag;
import io.shredder.incoop.task.WatchedConf;
import io.shredder.incoop.world.Prepared;
import io.shredder.incoop.world.Sightings;
import io.shredder.incoop.world.Worlds;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sets mappers up. Where nobody can tell the difference, it does so once: a copy of the mapper is kept unused, and the
 * mappers of later chunks are copies of that ({@link Prepared}). It has to be a mapper whose setup gave and counted
 * nothing, left its configuration as it was, started nothing that goes on, asked for no place, and made nothing but
 * objects whose inside is known. One thread.
 */
final class SetUps {

    private static final Logger LOG = LoggerFactory.getLogger(SetUps.class);
    private static final int LONG_MILLIS = 200;

    private final Worlds worlds;
    private @Nullable Prepared prepared;
    private @Nullable ClassLoader preparedIn;
    private InputTag preparedFor = InputTag.NONE;
    private boolean tried;

    SetUps(Worlds worlds) {
        this.worlds = worlds;
    }

    /** Makes a mapper and sets it up. */
    interface Making {
        Object make() throws IOException, InterruptedException, ClassNotFoundException;
    }

    /** The chunk that a mapper is for. */
    record ForChunk(
            ClassLoader world,
            InputTag tag,
            Map<String, String> settings,
            WatchedConf conf,
            ChunkTask task,
            Sightings sightings) {

        /** Sets what the input format sets as it is opened. */
        void useSettings() {
            settings.forEach(conf::set);
        }
    }

    /**
     * A mapper that is set up and has not been used.
     *
     * @param ofChunk what belongs to the chunk that the mapper may hold, of the same kinds at each call
     */
    Object mapper(ForChunk chunk, List<Object> ofChunk, Making making)
            throws IOException, InterruptedException, ClassNotFoundException {
        if (prepared != null && chunk.world().equals(preparedIn) && chunk.tag().equals(preparedFor)) {
            chunk.useSettings();
            return prepared.copy(ofChunk, chunk.sightings());
        }
        prepared = null;
        if (tried && preparedIn == null) {
            return making.make();
        }
        Properties before = chunk.conf().properties();
        before.putAll(chunk.settings());
        Set<Thread> running = threads(chunk.world());
        long startNs = System.nanoTime();
        Object mapper = making.make();
        long millis = (System.nanoTime() - startNs) / 1_000_000;
        tried = true;
        Set<Thread> started = threads(chunk.world());
        started.removeAll(running);
        boolean hasLeftAllAsItWas = started.isEmpty()
                && ForkJoinPool.commonPool().isQuiescent()
                && chunk.task().counterValues().isEmpty()
                && chunk.conf().properties().equals(before);
        Consumer<String> whyNot = reason -> tell(mapper, millis, reason);
        Optional<Prepared> kept = Optional.empty();
        if (hasLeftAllAsItWas) {
            kept = worlds.prepare(mapper, ofChunk, chunk.sightings(), whyNot);
        } else {
            whyNot.accept("setting up counts, writes, changes the configuration or starts a thread");
        }
        prepared = kept.orElse(null);
        preparedIn = kept.isPresent() ? chunk.world() : null;
        preparedFor = chunk.tag();
        return mapper;
    }

    /** Says nothing of what takes no time. */
    private static void tell(Object mapper, long millis, String reason) {
        if (millis >= LONG_MILLIS) {
            LOG.info(
                    "incoop: each chunk waits {} ms for setup: {}: {}",
                    millis,
                    mapper.getClass().getName(),
                    reason);
        }
    }

    /** Those that the job's code may have started: they have its loader from whoever starts them. */
    private static Set<Thread> threads(ClassLoader world) {
        ThreadGroup all = Thread.currentThread().getThreadGroup();
        while (all.getParent() != null) {
            all = all.getParent();
        }
        Thread[] found = new Thread[2 * all.activeCount() + 16];
        int count = all.enumerate(found);
        Set<Thread> jobs = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Thread thread : Arrays.asList(found).subList(0, count)) {
            if (world.equals(thread.getContextClassLoader())
                    || world.equals(thread.getClass().getClassLoader())) {
                jobs.add(thread);
            }
        }
        return jobs;
    }
}
