// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a bitmap has marked that QEMU exports with a disk. */
public final class NbdChanges {

    private NbdChanges() {}

    /**
     * The marked ranges, ascending, in whole blocks of 4 KiB.
     *
     * @param bitmap its name at the export
     * @param timeout how long the server may be silent
     * @throws IOException if the server doesn't tell
     */
    public static List<Extent> marked(NbdUri uri, String bitmap, Duration timeout) throws IOException {
        List<Extent> marked = new ArrayList<>();
        try (NbdImage image = NbdImage.open(uri, timeout, NbdContext.dirty(bitmap))) {
            if (!image.tells()) {
                throw new IOException("NBD server " + uri + " doesn't tell what bitmap " + bitmap + " has marked");
            }
            for (Optional<Extent> next = image.nextData(0);
                    next.isPresent();
                    next = image.nextData(next.get().end())) {
                marked.add(next.get());
            }
        }
        return marked;
    }
}
