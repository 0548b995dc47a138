// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.restore;

import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.seal.Pointer;
import io.shredder.backup.server.snapshot.RegionBounds;
import io.shredder.backup.server.targets.RestoreTarget;
import io.shredder.backup.wire.WireFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A stretch of the image and the chunks that it is made of, which are fetched, opened and written together: enough to
 * digest them side by side, and to write long runs. A chunk that the stretch has more than once, or of which it has
 * several parts, is fetched once. One thread at a time.
 */
public final class RestoreBatch {

    /** The most plain bytes of chunks, but for a single longer chunk. */
    public static final int MAX_BYTES = RestoreTarget.MAX_WRITE_BYTES;

    /** Of so many on, it ends where a region is likely to end. */
    private static final int ENOUGH_BYTES = 1 << 20;

    private final long position;
    private final Map<ChunkRef, Integer> places = new LinkedHashMap<>();
    private final List<Run> runs = new ArrayList<>();
    private int chunkBytes;
    private long imageBytes;
    private boolean ended;

    /** Bytes of the image that lie together among the opened chunks, too. */
    private record Run(int from, int length) {}

    /**
     * An empty one.
     *
     * @param position where in the image it begins
     */
    public RestoreBatch(long position) {
        this.position = position;
    }

    /** Whether this chunk may be added. */
    public boolean hasRoomFor(ChunkRef chunk) {
        return places.isEmpty()
                || places.containsKey(chunk)
                || (!ended && places.size() < WireFormat.MAX_FETCH && chunkBytes + chunk.length() <= MAX_BYTES);
    }

    /** The image goes on with these bytes. */
    public void add(Pointer pointer) {
        ChunkRef chunk = pointer.chunk();
        Integer known = places.putIfAbsent(chunk, chunkBytes);
        int place = known == null ? chunkBytes : known;
        if (known == null) {
            chunkBytes += chunk.length();
            ended = chunkBytes >= ENOUGH_BYTES && RegionBounds.endBehind(chunk);
        }
        Run last = runs.isEmpty() ? new Run(0, 0) : runs.get(runs.size() - 1);
        if (last.length() > 0 && last.from() + last.length() == place + pointer.from()) {
            runs.set(runs.size() - 1, new Run(last.from(), last.length() + pointer.length()));
        } else {
            runs.add(new Run(place + pointer.from(), pointer.length()));
        }
        imageBytes += pointer.length();
    }

    /** Where in the image it begins. */
    long position() {
        return position;
    }

    /** What is to be fetched. */
    public List<ChunkRef> chunks() {
        return List.copyOf(places.keySet());
    }

    /** Plain length of those. */
    public int chunkBytes() {
        return chunkBytes;
    }

    /** How much of the image it is. */
    long imageBytes() {
        return imageBytes;
    }

    /** @param plain all of {@link #chunks}, back to back from index 0 on */
    void write(ByteBuffer plain, RestoreTarget target) throws IOException {
        long to = position;
        for (Run run : runs) {
            target.write(to, plain.slice(run.from(), run.length()));
            to += run.length();
        }
    }
}
