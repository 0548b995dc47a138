// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.compare;

import io.shredder.backup.server.source.Extent;
import io.shredder.backup.server.source.SharedImage;
import java.io.IOException;
import java.util.Optional;

/** Where an image has data; asks it only where the answer before doesn't reach. One thread. */
final class DataMap {

    private final SharedImage image;
    private long knownFrom;
    private long dataFrom;
    private long dataTo;

    DataMap(SharedImage image) {
        this.image = image;
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

    /** Where the data ends that {@link #next} found last. */
    long end() {
        return dataTo;
    }
}
