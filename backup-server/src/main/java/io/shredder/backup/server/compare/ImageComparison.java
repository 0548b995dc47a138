// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.compare;

import io.shredder.backup.pace.Pace;
import io.shredder.backup.server.cache.CacheReader;
import io.shredder.backup.server.changes.ChangeCheck;
import io.shredder.backup.server.source.CutChunk;
import io.shredder.backup.server.source.ImageChunker;
import io.shredder.backup.server.source.ImageRange;
import io.shredder.backup.server.source.SharedImage;
import io.shredder.backup.server.stage.BackupTimes;
import io.shredder.chunk.ChunkingParams;
import io.shredder.engine.KeyedTags;
import io.shredder.engine.Shredder;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Finds the chunks of an image of which the last snapshot's are known, exactly those of reading it whole.
 *
 * <p>Why that is exact: with the parameters that are used here a cut depends on nothing before the cut before it
 * ({@link io.shredder.engine.MemoryCuts#serve}). So if the image has a cut where the old image had one, and the bytes
 * from there on are those of the old chunk, which its tag tells, then its chunk there is the old one, and its end is a
 * cut again. Where they differ, the image is cut and digested from the last sure cut on, until a cut falls where the
 * old image had one and tags agree again: short stretches in memory, long ones by the engine. Where a {@link
 * ChangeCheck} says that nothing changed, that stands for the comparison, and the chunk is not read.
 *
 * <pre>
 *   backup-compare-N                        caller's thread
 *   read, tag, compare with old tags  -->   unchanged: handed on
 *   cut, digest and tag what changed        changed: handed on, or read again, cut, digested, handed on
 * </pre>
 */
public final class ImageComparison {

    /** As long as no more has changed on end, it is cut in memory. */
    private static final long SHORT_STRETCH_BYTES = 16L << 20;

    /** What the engine gets at least, before old tags are asked again. */
    private static final long LONG_STRETCH_BYTES = 64L << 20;

    private final ImageChunker chunker;
    private final ChunkingParams params;
    private final KeyedTags tags;
    private final Pace pace;
    private final BackupTimes times;
    private final ImageThreads threads;
    private final long shortStretchBytes;
    private final long longStretchBytes;

    /**
     * With an engine that stays the caller's.
     *
     * @param pace how fast the image may be read
     */
    public ImageComparison(
            Shredder engine,
            ChunkingParams params,
            KeyedTags tags,
            Pace pace,
            ImageThreads threads,
            BackupTimes times) {
        this(engine, params, tags, pace, threads, times, SHORT_STRETCH_BYTES, LONG_STRETCH_BYTES);
    }

    /** @param longStretchBytes more than the longest chunk */
    ImageComparison(
            Shredder engine,
            ChunkingParams params,
            KeyedTags tags,
            Pace pace,
            ImageThreads threads,
            BackupTimes times,
            long shortStretchBytes,
            long longStretchBytes) {
        this.threads = threads;
        this.times = times;
        this.chunker = new ImageChunker(
                engine, params, pace, threads.reading(), threads.share().weight(), times);
        this.params = params;
        this.tags = tags;
        this.pace = pace;
        this.shortStretchBytes = shortStretchBytes;
        this.longStretchBytes = longStretchBytes;
    }

    /**
     * Returns when the consumer has taken the last chunk and the image has kept its length.
     *
     * @param last the cache of the last snapshot, cut with the same parameters; read from its start, not closed
     * @param check says what need not be read, and is told what wasn't as it said
     */
    public void chunk(SharedImage image, CacheReader last, ChangeCheck check, ChunkConsumer consumer)
            throws IOException {
        DataMap dataMap = new DataMap(image, pace);
        ChangedStretch stretch = new ChangedStretch(image, params, dataMap, check);
        long changedBytes = 0;
        Recutting recutting = new Recutting(params, tags);
        try (OldChunks old =
                new OldChunks(last, image, new ComparingThreads(image, tags, pace, recutting, check, threads, times))) {
            for (long at = 0; at < image.imageBytes(); ) {
                if (old.isUnchangedAt(at)) {
                    consumer.unchanged(old.chunk());
                    at += old.chunk().length();
                    changedBytes = 0;
                } else {
                    Optional<Recut> ahead = old.recutAt(at);
                    long end;
                    if (ahead.isPresent()) {
                        end = handOn(ahead.get(), old, consumer);
                    } else if (old.atEnd() || isLong(at, changedBytes, check)) {
                        long most = old.atEnd() ? Long.MAX_VALUE : changedBytes;
                        end = byEngine(image, at, Math.max(longStretchBytes, most), consumer);
                    } else if (dataMap.next(at) - at >= longStretchBytes) {
                        end = byEngine(image, at, dataMap.next(at) - at, consumer);
                    } else {
                        end = stretch.cut(at, changedBytes, old, consumer);
                    }
                    changedBytes += end - at;
                    at = end;
                }
            }
        }
        image.checkUnchanged();
    }

    /** Where it is known what may have changed, nothing behind that is to be read in one go with it. */
    private boolean isLong(long at, long changedBytes, ChangeCheck check) {
        return check.readsAll() ? changedBytes >= shortStretchBytes : check.endOf(at) - at >= longStretchBytes;
    }

    private static long handOn(Recut recut, OldChunks old, ChunkConsumer consumer) throws IOException {
        long at = recut.offset();
        for (Recut.Chunk chunk : recut.chunks()) {
            long end = at + chunk.data().remaining();
            consumer.changed(chunk.digest(), chunk.data(), old.keptWithin(at, end), Optional.of(chunk.pieces()));
            at = end;
        }
        return at;
    }

    /**
     * Cuts from a sure cut on; returns the last sure cut, since a cut where a stretch ends may be none of the image's.
     *
     * @param most more than the longest chunk: as much as has changed on end before, so that an image that is all new
     *     costs next to nothing more, or a hole, of which next to nothing is given to the engine
     */
    private long byEngine(SharedImage image, long from, long most, ChunkConsumer consumer) throws IOException {
        long left = image.imageBytes() - from;
        long bytes = Math.min(left, most);
        long[] at = {from};
        chunker.chunk(new ImageRange(image, from, from + bytes), chunks -> {
            List<CutChunk> sure = bytes == left ? chunks : CutChunk.within(chunks, from + bytes - 1 - at[0]);
            if (!sure.isEmpty()) {
                consumer.accept(sure);
            }
            at[0] += sure.stream().mapToLong(CutChunk::bytes).sum();
        });
        return at[0];
    }
}
