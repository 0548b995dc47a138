// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.open.files;

import io.shredder.backup.server.guest.ImageBytes;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * An image of which some bytes read differently. They are drawn where a reader of files looks for what says where files
 * are: of what a listing of the unchanged image asked for, and there among bytes that are not zero, mostly. The file
 * itself stays as it is. One thread.
 */
final class FuzzedImage implements ImageBytes, Closeable {

    /** Most of a table may be empty. */
    private static final int MOST_TRIES = 20;

    private final FileChannel channel;
    private final long bytes;
    private final Map<Long, Byte> changed = new TreeMap<>();

    /** What was asked for: offset and length, in order. */
    private final List<long[]> asked = new ArrayList<>();

    FuzzedImage(Path file) throws IOException {
        channel = FileChannel.open(file, StandardOpenOption.READ);
        bytes = channel.size();
    }

    /**
     * Draws what is changed.
     *
     * @param places what listing it unchanged has asked for, as {@link #asked}
     */
    void change(Random random, List<long[]> places) throws IOException {
        int count = 1 + random.nextInt(8);
        for (int i = 0; i < count; i++) {
            long[] place = places.get(random.nextInt(places.size()));
            long offset = 0;
            ByteBuffer now = ByteBuffer.allocate(1);
            for (int tries = 0; tries < MOST_TRIES && now.get(0) == 0; tries++) {
                offset = place[0] + drawWithin(random, place[1]);
                now.clear();
                channel.read(now, offset);
            }
            byte flipped = (byte) (now.get(0) ^ 1 << random.nextInt(8));
            byte[] extremes = {flipped, 0, (byte) 0xFF, 0x7F, (byte) random.nextInt()};
            changed.put(offset, extremes[random.nextInt(extremes.length)]);
        }
    }

    /** Structures lie at the beginning of what is read more often than at its end. */
    private static long drawWithin(Random random, long length) {
        return (long) (length * Math.pow(random.nextDouble(), random.nextBoolean() ? 1 : 4));
    }

    List<long[]> asked() {
        return asked;
    }

    @Override
    public long size() {
        return bytes;
    }

    @Override
    public void read(long offset, ByteBuffer into) throws IOException {
        long end = offset + into.remaining();
        asked.add(new long[] {offset, into.remaining()});
        int begin = into.position();
        for (long at = offset; into.hasRemaining(); ) {
            int count = channel.read(into, at);
            if (count < 0) {
                throw new EOFException("the image ends before its size");
            }
            at += count;
        }
        changed.forEach((at, value) -> {
            if (at >= offset && at < end) {
                into.put(begin + (int) (at - offset), value);
            }
        });
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
