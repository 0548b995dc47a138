// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.compare;

import io.shredder.backup.pace.Pace;
import io.shredder.backup.server.source.Extent;
import io.shredder.backup.server.source.SharedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Where an image has data, and what; asks it only where the answer before doesn't reach. One thread. */
final class DataMap {

    private static final int ZEROS_BYTES = 64 << 10;

    private final SharedImage image;
    private final Pace pace;
    private final ByteBuffer zeros = ByteBuffer.allocateDirect(ZEROS_BYTES);
    private long knownFrom;
    private long dataFrom;
    private long dataTo;

    DataMap(SharedImage image, Pace pace) {
        this.image = image;
        this.pace = pace;
    }

    /** Where the first data from an offset on begins; the image's end if there is none. */
    long next(long at) throws IOException {
        if (at < knownFrom || at >= dataTo) {
            Optional<Extent> next = image.nextData(at);
            knownFrom = at;
            dataFrom = next.map(Extent::offset).orElse(image.imageBytes());
            dataTo = next.map(Extent::end).orElse(image.imageBytes());
        }
        return Math.max(at, dataFrom);
    }

    /** Fills a buffer with the image's bytes from an offset; holes are not read. */
    void read(ByteBuffer into, long offset) throws IOException {
        long at = offset;
        while (into.hasRemaining()) {
            long dataAt = next(at);
            int count;
            if (dataAt > at) {
                count = (int) Math.min(ZEROS_BYTES, Math.min(into.remaining(), dataAt - at));
                into.put(zeros.slice(0, count));
            } else {
                count = (int) Math.min(into.remaining(), dataTo - at);
                pace.take(count);
                image.read(into.slice(into.position(), count), at);
                into.position(into.position() + count);
            }
            at += count;
        }
    }
}
