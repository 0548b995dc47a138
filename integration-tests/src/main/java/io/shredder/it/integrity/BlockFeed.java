// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.integrity;

import java.io.IOException;
import java.nio.file.Path;

/** Reads files, divides them into blocks, and digests those, as its {@link Variant} does. For one thread. */
interface BlockFeed extends AutoCloseable {
    /** Hands all blocks of a file over, on the caller's thread. */
    void feed(Path file, Blocks.Taker taker) throws IOException;

    @Override
    default void close() {
        // Nothing is held.
    }
}
