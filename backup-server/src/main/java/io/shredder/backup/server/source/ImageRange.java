// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Part of an image, as an image. Closing it leaves the whole open. */
public final class ImageRange implements ImageSource {

    private final ImageSource whole;
    private final long from;
    private final long to;

    /** The bytes from {@code from} up to {@code to}, which is not behind the image's end. */
    public ImageRange(ImageSource whole, long from, long to) {
        if (from < 0 || from > to || to > whole.imageBytes()) {
            throw new IllegalArgumentException(from + " to " + to + " is no part of " + whole.imageBytes() + " bytes");
        }
        this.whole = whole;
        this.from = from;
        this.to = to;
    }

    @Override
    public long imageBytes() {
        return to - from;
    }

    @Override
    public Optional<Extent> nextData(long at) throws IOException {
        return whole.nextData(from + at)
                .filter(extent -> extent.offset() < to)
                .map(extent -> new Extent(extent.offset() - from, Math.min(extent.end(), to) - extent.offset()));
    }

    @Override
    public void read(ByteBuffer into, long offset) throws IOException {
        whole.read(into, from + offset);
    }

    @Override
    public int readBytes() {
        return whole.readBytes();
    }

    @Override
    public boolean readsAtOnce() {
        return whole.readsAtOnce();
    }

    @Override
    public void checkUnchanged() throws IOException {
        whole.checkUnchanged();
    }

    @Override
    public void close() {}
}
