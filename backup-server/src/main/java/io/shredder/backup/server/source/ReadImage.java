// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** An image, and how much of it was read. Closing it closes the image. */
public final class ReadImage implements ImageSource {

    private final ImageSource image;
    private final AtomicLong bytes = new AtomicLong();

    /** From now on to be used instead of {@code image}. */
    public ReadImage(ImageSource image) {
        this.image = image;
    }

    /** How much was read so far; from any thread. */
    public long bytes() {
        return bytes.get();
    }

    @Override
    public long imageBytes() {
        return image.imageBytes();
    }

    @Override
    public Optional<Extent> nextData(long from) throws IOException {
        return image.nextData(from);
    }

    @Override
    public void read(ByteBuffer into, long offset) throws IOException {
        bytes.addAndGet(into.remaining());
        image.read(into, offset);
    }

    @Override
    public boolean readsAtOnce() {
        return image.readsAtOnce();
    }

    @Override
    public int readBytes() {
        return image.readBytes();
    }

    @Override
    public void checkUnchanged() throws IOException {
        image.checkUnchanged();
    }

    @Override
    public Optional<String> change() throws IOException {
        return image.change();
    }

    @Override
    public List<Extent> skipped() {
        return image.skipped();
    }

    @Override
    public void close() throws IOException {
        image.close();
    }
}
