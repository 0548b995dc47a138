// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * An open image: {@link #imageBytes} bytes, of which only the extents need to be read, since all else is 0. Nobody
 * should write the image meanwhile; a source finds out what it can, not every change. {@code ImageSourceContract} tests
 * every implementation.
 *
 * <p>For one thread at a time, but for {@link #readsAtOnce}. Whoever opens it closes it; closing it from another thread
 * ends a read that blocks.
 */
public interface ImageSource extends Closeable {

    /** Length of the image, fixed when it was opened. */
    long imageBytes();

    /**
     * The first extent that ends behind {@code from}, cut to begin there if it begins earlier; empty if there is only 0
     * up to the end. It may contain zeros and may end before the data does.
     *
     * @param from 0 to the image's length
     */
    Optional<Extent> nextData(long from) throws IOException;

    /**
     * Fills the buffer with the image's bytes from an offset.
     *
     * @param into direct; filled up to its limit, which must not lie behind the image's end
     * @throws UnreadableException if these bytes can't be read, but others may
     * @throws IOException naming the image, if its bytes are not to be had
     */
    void read(ByteBuffer into, long offset) throws IOException;

    /** Whether several threads may {@link #read} at once, and one of them ask for data meanwhile. */
    default boolean readsAtOnce() {
        return false;
    }

    /** How much to ask for in one {@link #read}, for the best speed: a multiple of 4 KiB. */
    int readBytes();

    /**
     * To be called when all is read.
     *
     * @throws IOException if the image changed its length since it was opened, so what was read is no image
     */
    void checkUnchanged() throws IOException;

    /** How the image was seen to be written since it was opened, in a few words; to be asked when all is read. */
    default Optional<String> change() throws IOException {
        return Optional.empty();
    }

    /** Ranges that could not be read and were given out as zeros, in order, none adjoining. */
    default List<Extent> skipped() {
        return List.of();
    }
}
