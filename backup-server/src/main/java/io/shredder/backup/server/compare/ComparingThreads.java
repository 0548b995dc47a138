// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.compare;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.shredder.backup.pace.Pace;
import io.shredder.backup.server.changes.ChangeCheck;
import io.shredder.backup.server.source.SharedImage;
import io.shredder.backup.server.stage.BackupTimes;
import io.shredder.engine.KeyedTags;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Threads that compare segments of one image, several where it can be read by several at once. */
final class ComparingThreads implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ComparingThreads.class);
    private static final int LONGEST_READ_SECONDS = 60;

    private final ImageThreads most;
    private final boolean readsAtOnce;
    private final ThreadPoolExecutor pool;
    private final ThreadLocal<SegmentCheck> segments;
    private final BackupTimes times;
    private final long beginNs = System.nanoTime();
    private final Queue<ByteBuffer> spare = new ConcurrentLinkedQueue<>();
    private volatile boolean ended;

    ComparingThreads(
            SharedImage image,
            KeyedTags tags,
            Pace pace,
            Recutting recutting,
            ChangeCheck check,
            ImageThreads most,
            BackupTimes times) {
        this.times = times;
        this.most = most;
        readsAtOnce = image.readsAtOnce();
        int bytes = Segments.BYTES + recutting.bytesBehind();
        segments = ThreadLocal.withInitial(() ->
                new SegmentCheck(image, tags, pace, recutting, check, most.share(), () -> ended, () -> memory(bytes)));
        int now = threads();
        ThreadFactory named = new ThreadFactoryBuilder()
                .setNameFormat("backup-compare-%d")
                .setDaemon(true)
                .build();
        pool = new ThreadPoolExecutor(now, now, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), named);
    }

    /** How many there may be now. */
    private int threads() {
        return readsAtOnce ? most.comparingNow() : 1;
    }

    /** How many segments to have under way so that no thread waits. */
    int window() {
        return 2 + 4 * threads();
    }

    /** One too many ends, and its memory with it, when it is done with what it does. */
    private void adapt() {
        int now = threads();
        if (now > pool.getMaximumPoolSize()) {
            pool.setMaximumPoolSize(now);
            pool.setCorePoolSize(now);
        } else if (now < pool.getMaximumPoolSize()) {
            pool.setCorePoolSize(now);
            pool.setMaximumPoolSize(now);
        }
    }

    /** What of the segment the new image has. */
    Future<Compared> compare(Segment segment) {
        adapt();
        return pool.submit(() -> times.comparing().called(() -> segments.get().compare(segment)));
    }

    private ByteBuffer memory(int bytes) {
        ByteBuffer known = spare.poll();
        return known != null ? known : ByteBuffer.allocateDirect(bytes);
    }

    /** Nobody looks at this result any more, or wants it. */
    void forget(Future<Compared> result) {
        if (result.cancel(false) || result.isCancelled()) {
            return;
        }
        try {
            result.get().memory().ifPresent(spare::add);
        } catch (ExecutionException e) {
            LOG.debug("what nobody wanted failed: {}", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The result, or what went wrong with reading the image. */
    Compared await(Future<Compared> result) throws IOException {
        boolean isThere = result.isDone();
        long askedNs = isThere ? 0 : System.nanoTime();
        try {
            return result.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw new IllegalStateException("can't compare: " + e.getCause(), e.getCause());
        } finally {
            if (!isThere) {
                times.lookingUp().awaitedInput(System.nanoTime() - askedNs);
            }
        }
    }

    /**
     * Waits for reads under way, since an interrupt would close the image's file, unless they hang or the caller is
     * interrupted.
     */
    @Override
    public void close() {
        ended = true;
        times.comparing().wereThere(threads(), System.nanoTime() - beginNs);
        pool.shutdown();
        try {
            if (!pool.awaitTermination(LONGEST_READ_SECONDS, TimeUnit.SECONDS)) {
                pool.shutdownNow();
            }
        } catch (InterruptedException e) {
            pool.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
