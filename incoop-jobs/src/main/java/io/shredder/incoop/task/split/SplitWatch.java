// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.split;

import io.shredder.incoop.config.IncoopKeys;
import io.shredder.incoop.config.MapOnly;
import io.shredder.incoop.config.Originals;
import io.shredder.incoop.format.PositionWatch;
import io.shredder.incoop.memo.MemoStore;
import io.shredder.incoop.task.PlainRunNeededException;
import io.shredder.incoop.task.TaskMemos;
import io.shredder.incoop.task.WatchedConf;
import io.shredder.incoop.watch.JvmWatch;
import io.shredder.incoop.watch.RunPlainly;
import io.shredder.incoop.watch.Sight;
import io.shredder.incoop.world.JobCode;
import io.shredder.incoop.world.LocalFiles;
import io.shredder.incoop.world.Sightings;
import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.security.Credentials;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees what the job's code does in a map task of an incremental job that maps one of the job's own splits. It may read
 * what it likes and ask where it is; if the job has no reducers, and the part file might be kept, that is noted
 * ({@link SplitWorld}). It must not ask for its task, which has another number than in a plain run, nor do what must
 * not happen twice: the job may still come to run plainly. Hadoop makes the reader before the mapper, and both meet in
 * the task's configuration object.
 */
public final class SplitWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SplitWatch.class);

    /** By identity: a configuration is equal to itself only. */
    private static final Map<Configuration, SplitWatch> BY_TASK = Collections.synchronizedMap(new WeakHashMap<>());

    /** The watch whose task a thread belongs to: that task's own, and those that its code has made. */
    private static final InheritableThreadLocal<@Nullable SplitWatch> OF_THREAD = new InheritableThreadLocal<>();

    private final MemoStore store;
    private final PositionWatch position = new PositionWatch();
    private final Sightings sightings;
    private final JvmWatch.Watching watching;
    private final JobConf conf;
    private final @Nullable SplitWorld world;

    private SplitWatch(Configuration task, Object split) throws IOException {
        // The task's own object is the key, and must not be held.
        JobConf copy = new JobConf(task);
        this.store = MemoStore.of(new Path(task.get(IncoopKeys.MEMO_OF_JOB)), copy);
        this.sightings = new Sightings(copy, position, LocalFiles.of(copy), false);
        JobConf own = Originals.ownCopy(copy);
        if (MapOnly.is(task)) {
            this.world = new SplitWorld(copy, own, split, sightings);
            own.setClassLoader(world.loader());
            own.setCredentials(new Credentials(copy.getCredentials()));
            this.watching = world::close;
        } else {
            this.world = null;
            this.watching = JvmWatch.watch(new JobCode(copy)::contains, this::saw);
        }
        this.conf = new WatchedConf(own, sightings, position);
        OF_THREAD.set(this);
    }

    /**
     * Begins to watch a task, whose thread this is.
     *
     * @param split that it maps, of either API
     */
    public static SplitWatch begin(Configuration task, Object split) throws IOException {
        SplitWatch watch = new SplitWatch(task, split);
        BY_TASK.put(task, watch);
        return watch;
    }

    /** The watch that the task's reader has begun. */
    public static SplitWatch of(Configuration task) {
        SplitWatch watch = BY_TASK.get(task);
        if (watch == null) {
            throw new IllegalStateException("the mapper runs before its reader is made");
        }
        return watch;
    }

    /** Other threads of the client's process may be about something else: they are never stopped. */
    private void saw(Sight sight, @Nullable Object through, String what, Class<?> by) {
        try {
            sightings.saw(sight, through, what, by);
        } catch (RunPlainly e) {
            if (OF_THREAD.get() == this) {
                throw e;
            }
            LOG.debug("seen in another thread", e);
        }
    }

    /** The configuration that reader and mapper see, as in a plain run the same for both. */
    public JobConf conf() {
        return conf;
    }

    /** What makes the split's part file one that may be kept; empty if the job has reducers. */
    public Optional<SplitWorld> world() {
        return Optional.ofNullable(world);
    }

    /** What the job's mapper sees of its split. */
    <S> S seen(S split) {
        return world == null ? split : world.seen(split);
    }

    /** To be called with each key that the reader gives, before the mapper sees it. */
    <T> T seenKey(T key) throws IOException {
        if (world != null) {
            world.watchKey(key, conf);
        }
        return key;
    }

    /** To be called when the job's code asks for its task. */
    void askedForTask(String what) {
        if (JvmWatch.isJobAsking()) {
            sightings.onlyPlain("it asks for its " + what + ", which differs from that of a plain run");
        }
    }

    /** What the job's own reader or mapper does. */
    public interface Deed<T> {
        public T run() throws IOException, InterruptedException, ClassNotFoundException;
    }

    /**
     * Has the job's code run.
     *
     * @throws IOException if it fails, or the job has to run plainly; then every run of the job knows
     */
    public <T> T run(Deed<T> deed) throws IOException, InterruptedException {
        if (store.refusal().isPresent()) {
            throw PlainRunNeededException.refusal(store.refusal().get());
        }
        T result;
        try {
            result = within(deed);
        } catch (ClassNotFoundException e) {
            throw new IOException("a class of the job is missing: " + e.getMessage(), e);
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            refuse();
            TaskMemos.noteFailure(store, conf.get(MRJobConfig.ID, ""), e);
            throw e;
        }
        refuse();
        return result;
    }

    /** The same whatever becomes of the job. */
    public <T> T within(Deed<T> deed) throws IOException, InterruptedException, ClassNotFoundException {
        Thread thread = Thread.currentThread();
        ClassLoader outside = thread.getContextClassLoader();
        if (world != null) {
            thread.setContextClassLoader(world.loader());
        }
        try {
            return deed.run();
        } finally {
            thread.setContextClassLoader(outside);
        }
    }

    /** To be called when the mapper has ended well. */
    public void mapped() throws IOException {
        if (world == null) {
            return;
        }
        try {
            world.mapped();
        } catch (PlainRunNeededException e) {
            store.noteFailure(conf.get(MRJobConfig.ID, ""), String.valueOf(e.getMessage()));
            throw PlainRunNeededException.refusal(String.valueOf(e.getMessage()));
        }
    }

    /** Whatever has become of it: code may catch what was thrown in its face. */
    private void refuse() throws IOException {
        if (sightings.plainReason().isPresent()) {
            store.refuse(sightings.plainReason().get());
            throw PlainRunNeededException.refusal(sightings.plainReason().get());
        }
    }

    /** To be called when reader and mapper are done: ends the watch, unless the part file is still to be closed. */
    @Override
    public void close() {
        if (world == null) {
            end();
        }
    }

    /** Ends the watch. */
    public void end() {
        OF_THREAD.remove();
        watching.close();
        position.close();
    }
}
