// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import io.shredder.backup.pace.Pace;
import io.shredder.backup.server.stage.SharedWork;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Optional;

/**
 * An image as a stream with its long runs of zeros shortened: holes are not read, and zeros that are read go no
 * further. Where the image can be read by several threads at once, some help. One thread.
 */
final class ShortenedChannel implements ReadableByteChannel {

    private static final int BLOCK_BYTES = 64 << 10;
    private static final int ALIGNMENT_BYTES = 4096;

    private final ImageSource image;
    private final ShortenedZeros zeros;
    private final Pace pace;
    private final SharedWork readers;

    /** The most that is read at once: what is best for each of those who read. */
    private final int mostBytes;

    private final ByteBuffer zeroBlock = ByteBuffer.allocateDirect(BLOCK_BYTES);
    /** What was read but not yet given out; empty most of the time. */
    private final ByteBuffer held;

    private Extent extent;
    private long position;
    private long givenOut;
    private long zerosSeen;
    private long zerosToGive;

    ShortenedChannel(ImageSource image, ShortenedZeros zeros, Pace pace, SharedWork readers) throws IOException {
        this.readers = readers;
        this.mostBytes = image.readBytes() * (image.readsAtOnce() ? readers.workers() : 1);
        this.image = image;
        this.zeros = zeros;
        this.pace = pace;
        this.held = ByteBuffer.allocateDirect(mostBytes).limit(0);
        this.extent = new Extent(0, 1);
        seek(0);
    }

    /** Finds the next extent; what is before it is a hole. */
    private void seek(long from) throws IOException {
        Optional<Extent> next = image.nextData(from);
        long dataAt = next.map(Extent::offset).orElse(image.imageBytes());
        zerosSeen += dataAt - from;
        position = dataAt;
        extent = next.orElse(extent);
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        int before = into.remaining();
        while (into.hasRemaining()) {
            if (zerosToGive > 0) {
                giveZeros(into);
            } else if (held.hasRemaining()) {
                giveHeld(into);
            } else if (position == image.imageBytes()) {
                if (zerosSeen == 0) {
                    break;
                }
                endZeros();
            } else if (position == extent.end()) {
                seek(position);
            } else if (zerosSeen == 0 && into.remaining() >= ALIGNMENT_BYTES) {
                readInto(into);
            } else {
                readHeld();
            }
        }
        int given = before - into.remaining();
        return given == 0 ? -1 : given;
    }

    private void endZeros() {
        zerosToGive = zeros.shorten(givenOut, zerosSeen);
        zerosSeen = 0;
    }

    private void giveZeros(ByteBuffer into) {
        int count = (int) Math.min(Math.min(zerosToGive, into.remaining()), BLOCK_BYTES);
        into.put(zeroBlock.duplicate().limit(count));
        zerosToGive -= count;
        givenOut += count;
    }

    /** The next block of what is held is either zero, ends a run of zeros, or is given out. */
    private void giveHeld(ByteBuffer into) {
        int block = Math.min(BLOCK_BYTES, held.remaining());
        if (isZero(held, held.position(), block)) {
            zerosSeen += block;
            held.position(held.position() + block);
        } else if (zerosSeen > 0) {
            endZeros();
        } else {
            int count = Math.min(block, into.remaining());
            into.put(held.slice(held.position(), count));
            held.position(held.position() + count);
            givenOut += count;
        }
    }

    /** Reads straight into the engine's buffer; from the first zero block on it is held back. */
    private void readInto(ByteBuffer into) throws IOException {
        int start = into.position();
        int count = nextRead(into.remaining());
        readImage(into.slice(start, count));
        int data = 0;
        while (data < count && !isZero(into, start + data, Math.min(BLOCK_BYTES, count - data))) {
            data = Math.min(count, data + BLOCK_BYTES);
        }
        held.clear().put(into.slice(start + data, count - data)).flip();
        into.position(start + data);
        givenOut += data;
    }

    private void readHeld() throws IOException {
        held.clear().limit(nextRead(held.capacity()));
        readImage(held.slice());
    }

    private int nextRead(int room) {
        long left = extent.end() - position;
        int most = Math.min(room, mostBytes);
        return left <= most ? (int) left : most - most % ALIGNMENT_BYTES;
    }

    private void readImage(ByteBuffer into) throws IOException {
        int count = into.remaining();
        pace.take(count);
        int part = image.readBytes();
        if (count <= part) {
            image.read(into, position);
        } else {
            readers.all((count + part - 1) / part, (reader, i) -> {
                int from = i * part;
                image.read(into.slice(from, Math.min(part, count - from)), position + from);
            });
        }
        position += count;
    }

    private boolean isZero(ByteBuffer bytes, int from, int count) {
        return bytes.get(from) == 0
                && bytes.slice(from, count).mismatch(zeroBlock.duplicate().limit(count)) < 0;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    /** The image stays open: it is the caller's. */
    @Override
    public void close() {}
}
