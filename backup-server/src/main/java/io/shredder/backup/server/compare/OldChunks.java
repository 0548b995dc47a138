// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.compare;

import io.shredder.backup.server.cache.CacheReader;
import io.shredder.backup.server.cache.CachedChunk;
import io.shredder.backup.server.cache.CachedRun;
import io.shredder.backup.server.source.SharedImage;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;

/**
 * A place in the old image that only moves on, and what threads of its own find out ahead of it: which old chunks are
 * unchanged. One thread; memory does not grow with the image.
 */
final class OldChunks implements AutoCloseable {

    /** A segment, where it ends, and what the new image has of it. */
    private record Asked(Segment segment, long end, Future<Compared> answer) {}

    private final Segments segments;
    private final ComparingThreads threads;
    private final Deque<Asked> ahead = new ArrayDeque<>();

    /**
     * Where in the first segment: a run, the chunk's number in the run and in the segment, and its offset in the image.
     */
    private int run;

    private int copy;
    private int chunk;
    private long chunkAt;

    OldChunks(CacheReader cache, SharedImage image, ComparingThreads threads) {
        this.segments = new Segments(cache, image.imageBytes());
        this.threads = threads;
    }

    /**
     * Whether an old chunk begins here and is unchanged; {@link #chunk} is that one then.
     *
     * @param position never less than before
     */
    boolean isUnchangedAt(long position) throws IOException {
        moveTo(position);
        return !ahead.isEmpty()
                && chunkAt == position
                && threads.await(ahead.element().answer()).unchanged().get(chunk);
    }

    /** What the image was cut into from the last position on, which was not unchanged, if that was found out ahead. */
    Optional<Recut> recutAt(long position) throws IOException {
        if (ahead.isEmpty()) {
            return Optional.empty();
        }
        return threads.await(ahead.element().answer()).recuts().stream()
                .filter(recut -> recut.offset() == position)
                .findFirst();
    }

    /** Whether no old chunk begins at the last position or behind it. */
    boolean atEnd() {
        return ahead.isEmpty();
    }

    /** The one that is unchanged. */
    CachedChunk chunk() {
        return current().chunk();
    }

    /**
     * What was not unchanged as a chunk and is the same at the same place all the same, as far as was compared ahead.
     *
     * @param begin where a chunk of the new image begins, not before the last position that was asked about
     * @param end where it ends
     */
    List<KeptPart> keptWithin(long begin, long end) throws IOException {
        List<KeptPart> kept = new ArrayList<>();
        for (Asked each : ahead) {
            if (each.segment().offset() >= end) {
                break;
            }
            for (KeptPart part : threads.await(each.answer()).kept()) {
                if (part.offset() < end && part.end() > begin) {
                    kept.add(part.within(begin, end));
                }
            }
        }
        return kept;
    }

    private CachedRun current() {
        return ahead.element().segment().runs().get(run);
    }

    /**
     * To the first chunk that begins at the position or behind it, or to the end of the segment that has the position.
     */
    private void moveTo(long position) {
        fill(position);
        while (!ahead.isEmpty() && ahead.element().end() <= position) {
            threads.forget(ahead.remove().answer());
            fill(position);
            enterFirst();
        }
        while (!ahead.isEmpty() && chunkAt < position) {
            skip(position);
        }
    }

    private void fill(long position) {
        boolean wasEmpty = ahead.isEmpty();
        while (ahead.size() < threads.window()) {
            Optional<Segment> next = segments.next();
            if (next.isEmpty()) {
                break;
            }
            long end = next.get().end();
            if (end > position) {
                ahead.add(new Asked(next.get(), end, threads.compare(next.get())));
            }
        }
        if (wasEmpty) {
            enterFirst();
        }
    }

    private void enterFirst() {
        run = 0;
        copy = 0;
        chunk = 0;
        chunkAt = ahead.isEmpty() ? 0 : ahead.element().segment().offset();
    }

    /** Chunks of one run that begin before the position. */
    private void skip(long position) {
        CachedRun current = current();
        int length = current.chunk().length();
        int count = (int) Math.min(current.count() - copy, (position - chunkAt + length - 1) / length);
        copy += count;
        chunk += count;
        chunkAt += (long) count * length;
        if (copy == current.count()) {
            run++;
            copy = 0;
        }
    }

    @Override
    public void close() {
        ahead.forEach(each -> each.answer().cancel(false));
        try (segments) {
            threads.close();
        }
    }
}
