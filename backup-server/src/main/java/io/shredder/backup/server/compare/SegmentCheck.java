// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.compare;

import com.google.common.collect.Range;
import com.google.common.collect.TreeRangeSet;
import io.shredder.backup.pace.Pace;
import io.shredder.backup.server.cache.CachedChunk;
import io.shredder.backup.server.cache.CachedRun;
import io.shredder.backup.server.cache.Pieces;
import io.shredder.backup.server.changes.ChangeCheck;
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

    /** Most often the old cuts are found again right behind what changed. */
    private static final int BEHIND_BYTES = 4096;

    private final SharedImage image;
    private final KeyedTags tags;
    private final FairShares.Share share;
    private final BooleanSupplier ended;
    private final DataMap dataMap;
    private final Recutting recutting;
    private final ChangeCheck check;
    private final Supplier<ByteBuffer> memory;
    private ByteBuffer buffer;

    /** What of the buffer has the image's bytes, of those that belong there. */
    private final TreeRangeSet<Integer> filled = TreeRangeSet.create();

    /**
     * @param check says which bytes need not be read
     * @param share says when it is whose turn to compute
     * @param ended whether nobody waits for results any more
     * @param memory gives a direct buffer for a segment and what follows it; results with some keep it
     */
    SegmentCheck(
            SharedImage image,
            KeyedTags tags,
            Pace pace,
            Recutting recutting,
            ChangeCheck check,
            FairShares.Share share,
            BooleanSupplier ended,
            Supplier<ByteBuffer> memory) {
        this.recutting = recutting;
        this.check = check;
        this.memory = memory;
        this.buffer = memory.get();
        this.image = image;
        this.tags = tags;
        this.share = share;
        this.ended = ended;
        this.dataMap = new DataMap(image, pace);
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

    /** Cuts what changed, unless that is most of the segment, or of more: then the engine is likely to get it. */
    private Compared recut(Segment segment, Compared found) throws IOException {
        int behind = recutting.bytesBehind();
        ChangedRuns changed = ChangedRuns.of(segment, found.unchanged());
        boolean toEngine = check.readsAll() && 2 * changed.bytes() > segment.bytes();
        if (behind == 0 || changed.runs().isEmpty() || toEngine) {
            return found;
        }
        List<Recut> recuts = new ArrayList<>();
        for (ChangedRuns.Run run : changed.runs()) {
            recut(run, segment.offset(), changed).ifPresent(recuts::add);
        }
        if (recuts.isEmpty()) {
            return found;
        }
        Compared more = found.with(recuts, buffer);
        buffer = memory.get();
        return more;
    }

    /** Where not all is to be read, only as much behind what changed as it takes to find the old cuts again. */
    private Optional<Recut> recut(ChangedRuns.Run run, long offset, ChangedRuns changed) throws IOException {
        int from = (int) (run.offset() - offset);
        int end = (int) (run.end() - offset);
        int most = (int) Math.min(end + recutting.bytesBehind(), image.imageBytes() - offset);
        int behind = check.readsAll() ? most - end : Math.min(most - end, BEHIND_BYTES);
        while (true) {
            int to = end + behind;
            need(from, to, offset);
            boolean last = offset + to == image.imageBytes();
            Optional<Recut> found = share.compare(
                    to - from,
                    () -> recutting.from(
                            run.offset(),
                            buffer.duplicate().limit(to).slice(from, to - from),
                            last,
                            changed::isUnchangedAt));
            long foundEnd = found.map(Recut::end).orElse(run.offset());
            if (to == most || foundEnd == run.end() || changed.isUnchangedAt(foundEnd)) {
                return found;
            }
            behind = Math.min(most - end, 4 * behind);
        }
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
            int untouched = (int) Math.min(left, (check.nextFrom(at) - at) / length);
            if (untouched > 0) {
                found.unchanged().set(i, i + untouched);
                i += untouched;
                continue;
            }
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
        filled.clear();
        found.unchanged().set(firstBit, firstBit + segment.chunks());
        for (Segment.Part part : segment.mayDiffer(check)) {
            compareRead(part, segment.offset(), found, firstBit + part.first());
        }
    }

    private void compareRead(Segment.Part part, long bufferOffset, Compared found, int firstBit) throws IOException {
        int bytes = (int) part.chunks().bytes();
        int from = (int) (part.chunks().offset() - bufferOffset);
        need(from, from + bytes, bufferOffset);
        ByteBuffer data = buffer.duplicate().clear().slice(from, bytes);
        TagList now = share.compare(bytes, () -> tags.of(data, part.chunks().pieceLengths()));
        long at = part.chunks().offset();
        int bit = firstBit;
        int piece = 0;
        for (CachedRun run : part.chunks().runs()) {
            int pieces = run.chunk().pieces().tags().count();
            for (int copy = 0; copy < run.count(); copy++, bit++) {
                if (!now.matches(piece, run.chunk().pieces().tags(), 0, pieces)) {
                    found.unchanged().clear(bit);
                    keep(at, run.chunk(), now.part(piece, pieces), found.kept());
                }
                piece += pieces;
                at += run.chunk().length();
            }
        }
    }

    /** The pieces of a changed chunk that are the same, those that follow each other as one. */
    private void keep(long offset, CachedChunk chunk, TagList now, List<KeptPart> kept) throws IOException {
        Pieces before = chunk.pieces();
        int from = 0;
        for (int i = 0; i <= now.count(); i++) {
            boolean differs = i < now.count() && !now.matches(i, before.tags(), i, 1);
            if (differs) {
                int last = Pieces.start(i + 1, chunk.length(), before.first());
                check.differs(offset + Pieces.start(i, chunk.length(), before.first()), offset + last);
            }
            if (i == now.count() || differs) {
                if (from < i) {
                    int begin = Pieces.start(from, chunk.length(), before.first());
                    int end = Pieces.start(i, chunk.length(), before.first());
                    kept.add(new KeptPart(offset + begin, chunk, begin, end - begin));
                }
                from = i + 1;
            }
        }
    }

    /** Has these bytes of the buffer be the image's. */
    private void need(int from, int to, long bufferOffset) throws IOException {
        Range<Integer> wanted = Range.closedOpen(from, to);
        for (Range<Integer> gap :
                List.copyOf(filled.complement().subRangeSet(wanted).asRanges())) {
            dataMap.read(
                    buffer.clear().limit(gap.upperEndpoint()).position(gap.lowerEndpoint()),
                    bufferOffset + gap.lowerEndpoint());
        }
        filled.add(wanted);
        buffer.clear();
    }

    private TagList tagsOfZeros(CachedChunk chunk) throws IOException {
        return tags.of(
                ByteBuffer.allocateDirect(chunk.length()),
                Pieces.lengths(chunk.length(), chunk.pieces().first()));
    }
}
