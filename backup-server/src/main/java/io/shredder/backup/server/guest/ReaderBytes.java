// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.guest;

import io.shredder.backup.server.reader.SnapshotReader;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A snapshot's bytes.
 *
 * @param reader stays the caller's
 */
public record ReaderBytes(SnapshotReader reader) implements ImageBytes {

    @Override
    public long size() {
        return reader.size();
    }

    @Override
    public void read(long offset, ByteBuffer into) throws IOException {
        reader.read(offset, into);
    }
}
