// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.nbd;

import io.shredder.backup.server.reader.ImageExtent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The bytes that an export serves. Nobody can write them but where it is a {@link WritableVolume}. Offsets and lengths
 * are bytes, within {@link #size}; whoever calls has checked that. Safe for any number of threads.
 */
public interface NbdVolume {

    /** What the export is called, beside being the default one. */
    String name();

    /** One line for whoever asks what it is. */
    String description();

    /** Length in bytes, which stays. */
    long size();

    /**
     * Fills the buffer from an offset on.
     *
     * @throws io.shredder.backup.server.reader.DamagedRangeException if some of the bytes are damaged and others not
     */
    void read(long offset, ByteBuffer into) throws IOException;

    /** Somebody reads these bytes in a moment. Doesn't wait. */
    void expect(long offset, long bytes);

    /** Somebody may read these bytes. Doesn't wait. */
    void prefetch(long offset, long bytes);

    /**
     * What is a hole and what isn't, from an offset on, in order and without a gap.
     *
     * @param bytes to look at, at least 1
     * @param most extents, at least 1; with fewer than all, what is behind the last is not told
     */
    List<ImageExtent> extents(long offset, long bytes, int most) throws IOException;
}
