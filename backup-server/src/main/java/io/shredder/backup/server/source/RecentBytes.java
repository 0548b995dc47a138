// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An image of which little is read, some of it more than once: to see what is in it, and again to cut it. What was read
 * last is remembered, up to {@value #MOST_BLOCKS} blocks of {@value #BLOCK_BYTES} bytes, so that the image's disk gives
 * it once. Closing it closes the image.
 */
public final class RecentBytes implements ImageSource {

    private static final int BLOCK_BYTES = 4096;
    private static final int MOST_BLOCKS = 8192;

    private final ImageSource image;
    private final Map<Long, byte[]> blocks = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, byte[]> eldest) {
            return size() > MOST_BLOCKS;
        }
    };
    private ByteBuffer missing = ByteBuffer.allocateDirect(BLOCK_BYTES);

    /** From now on to be used instead of {@code image}. */
    public RecentBytes(ImageSource image) {
        this.image = image;
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
        long at = offset;
        while (into.hasRemaining()) {
            long block = at / BLOCK_BYTES;
            byte[] known = blocks.get(block);
            if (known == null) {
                fetch(block, at + into.remaining());
            } else {
                int from = (int) (at % BLOCK_BYTES);
                int count = Math.min(into.remaining(), known.length - from);
                into.put(known, from, count);
                at += count;
            }
        }
    }

    /** Blocks that are not known, from the first on, up to one that is, or to an end. */
    private void fetch(long first, long end) throws IOException {
        long last = first + 1;
        while (last * BLOCK_BYTES < end && last - first < MOST_BLOCKS / 8 && !blocks.containsKey(last)) {
            last++;
        }
        int bytes = (int) (Math.min(last * BLOCK_BYTES, imageBytes()) - first * BLOCK_BYTES);
        if (missing.capacity() < bytes) {
            missing = ByteBuffer.allocateDirect(bytes);
        }
        image.read(missing.clear().limit(bytes), first * BLOCK_BYTES);
        missing.flip();
        for (long block = first; block < last; block++) {
            byte[] content = new byte[Math.min(BLOCK_BYTES, missing.remaining())];
            missing.get(content);
            blocks.put(block, content);
        }
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
