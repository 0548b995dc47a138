// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import com.google.common.collect.Range;
import com.google.common.collect.RangeSet;
import com.google.common.collect.TreeRangeSet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * An image of which some bytes may be unreadable: what can't be read in one go is read in ever smaller parts, so that
 * the unreadable blocks of {@value #BLOCK_BYTES} bytes are found. The first ends the backup, or each reads as zeros
 * from then on. As many threads at once as the image takes.
 */
public final class CheckedImage implements ImageSource {

    /** What a page cache reads at least, and a multiple of every sector. */
    static final int BLOCK_BYTES = 4096;

    /** So much is no bad sector: the disk is gone, or to be copied by a program that is made for broken ones. */
    static final long MAX_SKIPPED_BYTES = 1L << 30;

    private final ImageSource image;
    private final String name;
    private final OnReadError onReadError;
    private final int maxRanges;
    /** What is unreadable; guards itself. */
    private final RangeSet<Long> skipped = TreeRangeSet.create();

    /**
     * From now on to be used instead of {@code image}.
     *
     * @param name of the image, for errors
     * @param maxRanges how many unreadable ranges there may be
     */
    public CheckedImage(ImageSource image, String name, OnReadError onReadError, int maxRanges) {
        this.image = image;
        this.name = name;
        this.onReadError = onReadError;
        this.maxRanges = maxRanges;
    }

    @Override
    public void read(ByteBuffer into, long offset) throws IOException {
        if (isSkippedBetween(offset, offset + into.remaining())) {
            readParts(into, offset);
        } else {
            try {
                image.read(into.duplicate(), offset);
            } catch (UnreadableException e) {
                if (into.remaining() <= leftOfBlock(offset)) {
                    skip(offset, e);
                    zero(into);
                    return;
                }
                readParts(into, offset);
            }
        }
        into.position(into.limit());
    }

    /** Halves end on blocks. A part of one block that was skipped is zeros. */
    private void readParts(ByteBuffer into, long offset) throws IOException {
        int bytes = into.remaining();
        int first = leftOfBlock(offset);
        if (bytes <= first) {
            zero(into);
            return;
        }
        int blocksBehind = (bytes - first + BLOCK_BYTES - 1) / BLOCK_BYTES;
        int half = first + blocksBehind / 2 * BLOCK_BYTES;
        read(into.slice(into.position(), half), offset);
        read(into.slice(into.position() + half, bytes - half), offset + half);
    }

    private static int leftOfBlock(long offset) {
        return (int) (BLOCK_BYTES - offset % BLOCK_BYTES);
    }

    private static void zero(ByteBuffer into) {
        into.put(new byte[into.remaining()]);
    }

    private boolean isSkippedBetween(long from, long to) {
        synchronized (skipped) {
            return skipped.intersects(Range.closedOpen(from, to));
        }
    }

    /** Notes the block that this byte is in. */
    private void skip(long offset, UnreadableException reason) throws IOException {
        long from = offset - offset % BLOCK_BYTES;
        long to = Math.min(image.imageBytes(), from + BLOCK_BYTES);
        if (onReadError == OnReadError.FAIL) {
            throw new IOException(
                    "image " + name + ": can't read " + (to - from) + " bytes at offset " + from + ": "
                            + reason.getMessage() + ": copy it from a whole disk, or back up the rest of it with"
                            + " --on-read-error skip",
                    reason);
        }
        synchronized (skipped) {
            skipped.add(Range.closedOpen(from, to));
            checkSkipped(from, reason);
        }
    }

    private void checkSkipped(long last, UnreadableException reason) throws IOException {
        List<Extent> ranges = skipped();
        long bytes = ranges.stream().mapToLong(Extent::bytes).sum();
        if (ranges.size() > maxRanges || bytes > MAX_SKIPPED_BYTES || bytes == image.imageBytes()) {
            String much = ranges.size() > maxRanges ? maxRanges + " ranges" : MAX_SKIPPED_BYTES + " bytes";
            String what =
                    bytes == image.imageBytes() ? "nothing of it can be read" : "more than " + much + " can't be read";
            throw new IOException(
                    "image " + name + ": " + what + ", the last at offset " + last + ": " + reason.getMessage()
                            + ": rescue it first, such as with ddrescue, and back up the copy",
                    reason);
        }
    }

    @Override
    public List<Extent> skipped() {
        synchronized (skipped) {
            return skipped.asRanges().stream()
                    .map(range -> new Extent(range.lowerEndpoint(), range.upperEndpoint() - range.lowerEndpoint()))
                    .toList();
        }
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
    public void close() throws IOException {
        image.close();
    }
}
