// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.compare;

import io.shredder.backup.server.cache.CacheReader;
import io.shredder.backup.server.cache.CachedRun;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The chunks of the old image that the new one may have at the same place, in segments: all that end within the new
 * image, but not the old image's last, whose cut was its end, if the new one's end is elsewhere. Ends early, with a
 * line in the log, where the cache is damaged. One thread.
 */
final class Segments implements AutoCloseable {

    /** What is compared together: small enough to stay in a core's cache between reading and tagging. */
    static final int BYTES = 1 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(Segments.class);

    private final PagesAhead pages;
    private final long oldBytes;
    private final long imageBytes;
    private final Deque<CachedRun> page = new ArrayDeque<>();
    private long offset;
    private boolean ended;

    Segments(CacheReader cache, long imageBytes) {
        this.pages = new PagesAhead(cache);
        this.oldBytes = cache.imageBytes();
        this.imageBytes = imageBytes;
    }

    /** The next; empty at the end. */
    Optional<Segment> next() {
        long start = offset;
        long bytes = 0;
        List<CachedRun> runs = new ArrayList<>();
        for (Optional<CachedRun> run = peek(); run.isPresent(); run = peek()) {
            if (!runs.isEmpty() && bytes + run.get().bytes() > BYTES) {
                break;
            }
            page.remove();
            runs.add(run.get());
            bytes += run.get().bytes();
            offset += run.get().bytes();
        }
        return runs.isEmpty() ? Optional.empty() : Optional.of(new Segment(start, runs));
    }

    /** The next run, or what may be used of it. */
    private Optional<CachedRun> peek() {
        if (page.isEmpty()) {
            readPage();
        }
        CachedRun run = page.peek();
        if (run == null) {
            return Optional.empty();
        }
        int usable = usable(run);
        if (usable < run.count()) {
            page.clear();
            ended = true;
            if (usable > 0) {
                page.add(new CachedRun(run.chunk(), usable));
            }
        }
        return Optional.ofNullable(page.peek());
    }

    private int usable(CachedRun run) {
        long fitting = Math.min(run.count(), (imageBytes - offset) / run.chunk().length());
        boolean endsOldImage = offset + fitting * run.chunk().length() == oldBytes;
        return (int) (endsOldImage && oldBytes != imageBytes ? fitting - 1 : fitting);
    }

    private void readPage() {
        try {
            page.addAll(ended ? List.of() : pages.nextPage());
            ended = page.isEmpty();
        } catch (IOException e) {
            ended = true;
            LOG.warn("from {} on the cache can't be used, so the image is digested there: {}", offset, e.toString());
        }
    }

    @Override
    public void close() {
        pages.close();
    }
}
