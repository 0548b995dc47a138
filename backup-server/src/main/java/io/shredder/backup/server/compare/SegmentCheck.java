// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.compare;

import io.shredder.backup.client.Pace;
import io.shredder.backup.server.cache.CachedRun;
import io.shredder.backup.server.source.SharedImage;
import io.shredder.engine.ChunkTag;
import io.shredder.engine.KeyedTags;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Tells which chunks of a segment the image still has at the same place. Holes are not read. One thread at a time. */
final class SegmentCheck {

    private final SharedImage image;
    private final KeyedTags tags;
    private final Pace pace;
    private final BooleanSupplier ended;
    private final DataMap dataMap;
    private final ByteBuffer zeros = ByteBuffer.allocateDirect(64 << 10);
    private ByteBuffer buffer = ByteBuffer.allocateDirect(Segments.BYTES);

    /** @param ended whether nobody waits for results any more */
    SegmentCheck(SharedImage image, KeyedTags tags, Pace pace, BooleanSupplier ended) {
        this.image = image;
        this.tags = tags;
        this.pace = pace;
        this.ended = ended;
        this.dataMap = new DataMap(image);
    }

    /** A bit for each chunk. */
    BitSet unchanged(Segment segment) throws IOException {
        BitSet unchanged = new BitSet();
        if (segment.runs().size() == 1 && segment.runs().get(0).count() > 1) {
            compareRun(segment.offset(), segment.runs().get(0), unchanged);
        } else {
            compare(segment, unchanged, 0);
        }
        return unchanged;
    }

    /** A run may be of any length; those of zeros most often lie in holes. */
    private void compareRun(long offset, CachedRun run, BitSet unchanged) throws IOException {
        int length = run.chunk().length();
        int together = Math.max(1, Segments.BYTES / length);
        boolean ofZeros = run.tag().equals(tagOfZeros(length));
        int i = 0;
        while (i < run.count() && !ended.getAsBoolean()) {
            long at = offset + (long) i * length;
            int left = run.count() - i;
            int inHole = ofZeros ? (int) Math.min(left, (dataMap.next(at) - at) / length) : 0;
            if (inHole > 0) {
                unchanged.set(i, i + inHole);
                i += inHole;
            } else {
                int count = Math.min(together, left);
                compare(new Segment(at, List.of(new CachedRun(run.chunk(), count, run.tag()))), unchanged, i);
                i += count;
            }
        }
    }

    private void compare(Segment segment, BitSet unchanged, int firstBit) throws IOException {
        int bytes = (int) segment.bytes();
        if (buffer.capacity() < bytes) {
            buffer = ByteBuffer.allocateDirect(bytes);
        }
        fill(buffer.clear().limit(bytes), segment.offset());
        List<ChunkTag> now = tags.of(buffer.flip(), segment.lengths());
        int i = 0;
        for (CachedRun run : segment.runs()) {
            for (int copy = 0; copy < run.count(); copy++, i++) {
                unchanged.set(firstBit + i, now.get(i).equals(run.tag()));
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

    private ChunkTag tagOfZeros(int length) throws IOException {
        return tags.of(ByteBuffer.allocateDirect(length), new int[] {length}).get(0);
    }
}
