// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.compare;

import io.shredder.backup.client.Pace;
import io.shredder.backup.server.cache.CachedChunk;
import io.shredder.backup.server.cache.CachedRun;
import io.shredder.backup.server.cache.Pieces;
import io.shredder.backup.server.source.SharedImage;
import io.shredder.backup.server.stage.FairShares;
import io.shredder.engine.KeyedTags;
import io.shredder.engine.TagList;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Tells which chunks of a segment, and which parts of the others, the image still has at the same place. Holes are not
 * read. One thread at a time.
 */
final class SegmentCheck {

    private final SharedImage image;
    private final KeyedTags tags;
    private final Pace pace;
    private final FairShares.Share share;
    private final BooleanSupplier ended;
    private final DataMap dataMap;
    private final Recutting recutting;
    private final Supplier<ByteBuffer> memory;
    private final ByteBuffer zeros = ByteBuffer.allocateDirect(64 << 10);
    private ByteBuffer buffer;

    /**
     * @param share says when it is whose turn to compute
     * @param ended whether nobody waits for results any more
     * @param memory gives a direct buffer for a segment and what follows it; results with some keep it
     */
    SegmentCheck(
            SharedImage image,
            KeyedTags tags,
            Pace pace,
            Recutting recutting,
            FairShares.Share share,
            BooleanSupplier ended,
            Supplier<ByteBuffer> memory) {
        this.recutting = recutting;
        this.memory = memory;
        this.buffer = memory.get();
        this.image = image;
        this.tags = tags;
        this.pace = pace;
        this.share = share;
        this.ended = ended;
        this.dataMap = new DataMap(image);
    }

    Compared compare(Segment segment) throws IOException {
        Compared found = new Compared();
        if (segment.runs().size() == 1 && segment.runs().get(0).count() > 1) {
            compareRun(segment.offset(), segment.runs().get(0), found);
            return found;
        }
        compare(segment, found, 0);
        return recut(segment, found);
    }

    /** Cuts what changed, unless that is most of the segment: then the engine is likely to get it. */
    private Compared recut(Segment segment, Compared found) throws IOException {
        int behind = recutting.bytesBehind();
        ChangedRuns changed = ChangedRuns.of(segment, found.unchanged());
        if (behind == 0 || changed.runs().isEmpty() || 2 * changed.bytes() > segment.bytes()) {
            return found;
        }
        int bytes = (int) segment.bytes();
        if (changed.end() + behind > segment.end()) {
            int more = (int) Math.min(behind, image.imageBytes() - segment.end());
            fill(buffer.limit(bytes + more).position(bytes), segment.offset());
            bytes += more;
        }
        List<Recut> recuts = new ArrayList<>();
        for (ChangedRuns.Run run : changed.runs()) {
            int from = (int) (run.offset() - segment.offset());
            int to = (int) Math.min(bytes, run.end() - segment.offset() + behind);
            boolean last = segment.offset() + to == image.imageBytes();
            share.compare(
                            to - from,
                            () -> recutting.from(
                                    run.offset(), buffer.slice(from, to - from), last, changed::isUnchangedAt))
                    .ifPresent(recuts::add);
        }
        if (recuts.isEmpty()) {
            return found;
        }
        Compared more = found.with(recuts, buffer);
        buffer = memory.get();
        return more;
    }

    /**
     * A run may be of any length; those of zeros most often lie in holes. Parts of its chunks are not kept: they would
     * be too many.
     */
    private void compareRun(long offset, CachedRun run, Compared found) throws IOException {
        int length = run.chunk().length();
        int together = Math.max(1, Segments.BYTES / length);
        boolean ofZeros = run.chunk().pieces().tags().equals(tagsOfZeros(run.chunk()));
        int i = 0;
        while (i < run.count() && !ended.getAsBoolean()) {
            long at = offset + (long) i * length;
            int left = run.count() - i;
            int inHole = ofZeros ? (int) Math.min(left, (dataMap.next(at) - at) / length) : 0;
            if (inHole > 0) {
                found.unchanged().set(i, i + inHole);
                i += inHole;
            } else {
                int count = Math.min(together, left);
                Compared chunks = new Compared(found.unchanged(), new ArrayList<>(), List.of(), Optional.empty());
                compare(new Segment(at, List.of(new CachedRun(run.chunk(), count))), chunks, i);
                i += count;
            }
        }
    }

    private void compare(Segment segment, Compared found, int firstBit) throws IOException {
        int bytes = (int) segment.bytes();
        if (buffer.capacity() < bytes + recutting.bytesBehind()) {
            buffer = ByteBuffer.allocateDirect(bytes + recutting.bytesBehind());
        }
        fill(buffer.clear().limit(bytes), segment.offset());
        TagList now = share.compare(bytes, () -> tags.of(buffer.flip(), segment.pieceLengths()));
        long at = segment.offset();
        int bit = firstBit;
        int piece = 0;
        for (CachedRun run : segment.runs()) {
            int pieces = run.chunk().pieces().tags().count();
            for (int copy = 0; copy < run.count(); copy++, bit++) {
                if (now.matches(piece, run.chunk().pieces().tags(), 0, pieces)) {
                    found.unchanged().set(bit);
                } else {
                    keep(at, run.chunk(), now.part(piece, pieces), found.kept());
                }
                piece += pieces;
                at += run.chunk().length();
            }
        }
    }

    /** The pieces of a changed chunk that are the same, those that follow each other as one. */
    private static void keep(long offset, CachedChunk chunk, TagList now, List<KeptPart> kept) {
        Pieces before = chunk.pieces();
        int from = 0;
        for (int i = 0; i <= now.count(); i++) {
            if (i == now.count() || !now.matches(i, before.tags(), i, 1)) {
                if (from < i) {
                    int begin = Pieces.start(from, chunk.length(), before.first());
                    int end = Pieces.start(i, chunk.length(), before.first());
                    kept.add(new KeptPart(offset + begin, chunk, begin, end - begin));
                }
                from = i + 1;
            }
        }
    }

    /** The image's bytes up to the buffer's limit. */
    private void fill(ByteBuffer into, long offset) throws IOException {
        while (into.hasRemaining()) {
            long at = offset + into.position();
            long dataAt = dataMap.next(at);
            if (dataAt > at) {
                int count = (int) Math.min(zeros.capacity(), Math.min(into.remaining(), dataAt - at));
                into.put(zeros.slice(0, count));
            } else {
                int count = (int) Math.min(into.remaining(), dataMap.end() - at);
                pace.take(count);
                image.read(into.slice(into.position(), count), at);
                into.position(into.position() + count);
            }
        }
    }

    private TagList tagsOfZeros(CachedChunk chunk) throws IOException {
        return tags.of(
                ByteBuffer.allocateDirect(chunk.length()),
                Pieces.lengths(chunk.length(), chunk.pieces().first()));
    }
}
