// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * An image that several threads may use: one at a time, but for reading where the image {@link #readsAtOnce}. Closing
 * it closes what it was made of.
 */
public final class SharedImage implements ImageSource {

    private static final int BLOCK_BYTES = 4096;

    private final ImageSource image;
    private ByteBuffer blocks = ByteBuffer.allocate(0);

    /** What the image said last: the first data from {@link #askedFrom} on. */
    private Extent known = new Extent(0, 1);

    private long askedFrom = 1;

    /** From now on to be used instead of {@code image}. */
    public SharedImage(ImageSource image) {
        this.image = image;
    }

    @Override
    public long imageBytes() {
        return image.imageBytes();
    }

    /** Asks the image only where its last answer doesn't reach: a file system may look at each page up to a hole. */
    @Override
    public synchronized Optional<Extent> nextData(long from) throws IOException {
        if (from < askedFrom || from >= known.end()) {
            Optional<Extent> next = image.nextData(from);
            if (next.isEmpty()) {
                return next;
            }
            askedFrom = from;
            known = next.get();
        }
        long begin = Math.max(from, known.offset());
        return Optional.of(new Extent(begin, known.end() - begin));
    }

    @Override
    public void read(ByteBuffer into, long offset) throws IOException {
        if (image.readsAtOnce()) {
            image.read(into, offset);
        } else {
            readBlocks(into, offset);
        }
    }

    /** Whole blocks, which some sources read best and others alone. */
    private synchronized void readBlocks(ByteBuffer into, long offset) throws IOException {
        long from = offset - offset % BLOCK_BYTES;
        long end = offset + into.remaining();
        long to = Math.min(image.imageBytes(), (end + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES);
        if (from == offset && to == end) {
            image.read(into, offset);
            return;
        }
        int bytes = Math.toIntExact(to - from);
        if (blocks.capacity() < bytes) {
            blocks = ByteBuffer.allocateDirect(bytes);
        }
        image.read(blocks.clear().limit(bytes), from);
        into.put(blocks.slice((int) (offset - from), into.remaining()));
    }

    @Override
    public boolean readsAtOnce() {
        return image.readsAtOnce();
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

    @Override
    public synchronized Optional<String> change() throws IOException {
        return image.change();
    }

    @Override
    public List<Extent> skipped() {
        return image.skipped();
    }

    /** Not synchronized: it ends a read that blocks. */
    @Override
    public void close() throws IOException {
        image.close();
    }
}
