// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** An image that several threads may read, one at a time. Closing it closes what it was made of. */
public final class SharedImage implements ImageSource {

    private final ImageSource image;

    /** From now on to be used instead of {@code image}. */
    public SharedImage(ImageSource image) {
        this.image = image;
    }

    @Override
    public long imageBytes() {
        return image.imageBytes();
    }

    @Override
    public synchronized Optional<Extent> nextData(long from) throws IOException {
        return image.nextData(from);
    }

    @Override
    public synchronized void read(ByteBuffer into, long offset) throws IOException {
        image.read(into, offset);
    }

    /** The bytes from an offset, in an array of their own. */
    public byte[] bytes(long offset, int count) throws IOException {
        ByteBuffer direct = ByteBuffer.allocateDirect(count);
        read(direct, offset);
        byte[] bytes = new byte[count];
        direct.flip().get(bytes);
        return bytes;
    }

    @Override
    public int readBytes() {
        return image.readBytes();
    }

    @Override
    public synchronized void checkUnchanged() throws IOException {
        image.checkUnchanged();
    }

    /** Not synchronized: it ends a read that blocks. */
    @Override
    public void close() throws IOException {
        image.close();
    }
}
