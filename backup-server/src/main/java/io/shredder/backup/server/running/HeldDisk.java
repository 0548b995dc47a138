// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.running;

import io.shredder.backup.server.source.Extent;
import io.shredder.backup.server.source.ImageSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * A disk that is held at a moment: when it has been read, and before there is a snapshot of it, it must still be.
 *
 * @param image its bytes
 * @param point holds it
 * @param disk its name
 */
record HeldDisk(ImageSource image, MachinePoint point, String disk) implements ImageSource {

    @Override
    public void checkUnchanged() throws IOException {
        image.checkUnchanged();
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
    public Optional<String> change() throws IOException {
        point.check(disk);
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
