// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.nbd;

import io.shredder.backup.server.reader.ImageExtent;
import io.shredder.backup.server.reader.SnapshotReader;
import io.shredder.backup.server.text.SnapshotText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * One snapshot, which nobody can write.
 *
 * @param reader of its bytes, which stays the caller's
 */
public record SnapshotVolume(SnapshotReader reader) implements NbdVolume {

    @Override
    public String name() {
        return SnapshotText.name(reader.snapshot());
    }

    @Override
    public String description() {
        return "snapshot " + name() + ", read-only";
    }

    @Override
    public long size() {
        return reader.size();
    }

    @Override
    public void read(long offset, ByteBuffer into) throws IOException {
        reader.read(offset, into);
    }

    @Override
    public void expect(long offset, long bytes) {
        reader.expect(offset, bytes);
    }

    @Override
    public void prefetch(long offset, long bytes) {
        reader.prefetch(offset, bytes);
    }

    @Override
    public List<ImageExtent> extents(long offset, long bytes, int most) throws IOException {
        return reader.extents(offset, bytes, most);
    }
}
