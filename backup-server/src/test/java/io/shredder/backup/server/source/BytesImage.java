// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** An image in memory that says which of its extents are data, and counts what is read. */
public class BytesImage implements ImageSource {

    private final byte[] bytes;
    private final List<Extent> extents;
    private final int readBytes;
    private final AtomicLong bytesRead = new AtomicLong();

    /** Everything outside the extents must be 0. */
    public BytesImage(byte[] bytes, List<Extent> extents, int readBytes) {
        this.bytes = bytes;
        this.extents = extents;
        this.readBytes = readBytes;
    }

    @Override
    public long imageBytes() {
        return bytes.length;
    }

    @Override
    public Optional<Extent> nextData(long from) {
        return extents.stream()
                .filter(extent -> extent.end() > from)
                .findFirst()
                .map(extent ->
                        new Extent(Math.max(from, extent.offset()), extent.end() - Math.max(from, extent.offset())));
    }

    @Override
    public void read(ByteBuffer into, long offset) {
        bytesRead.addAndGet(into.remaining());
        into.put(bytes, Math.toIntExact(offset), into.remaining());
    }

    /** How much was read. */
    public long bytesRead() {
        return bytesRead.get();
    }

    @Override
    public boolean readsAtOnce() {
        return true;
    }

    @Override
    public int readBytes() {
        return readBytes;
    }

    @Override
    public void checkUnchanged() {}

    @Override
    public void close() {}
}
