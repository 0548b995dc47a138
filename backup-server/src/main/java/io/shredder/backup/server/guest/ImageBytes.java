// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.guest;

import java.io.IOException;
import java.nio.ByteBuffer;

/** An image that can be read anywhere. */
public interface ImageBytes {

    /** Its length in bytes. */
    long size();

    /**
     * Fills the buffer with the bytes from an offset on, all of which are within the image.
     *
     * @throws IOException if some can't be read; others may be
     */
    void read(long offset, ByteBuffer into) throws IOException;
}
