// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CheckedImageTest extends ImageSourceContract {

    private static final int BLOCK = CheckedImage.BLOCK_BYTES;
    private static final int BLOCKS = 300;

    /** An image some of whose blocks can't be read. */
    private static final class BadBlocks implements ImageSource {

        private final byte[] bytes;
        private final List<Integer> bad;
        private int reads;

        BadBlocks(byte[] bytes, Integer... bad) {
            this.bytes = bytes;
            this.bad = List.of(bad);
        }

        @Override
        public long imageBytes() {
            return bytes.length;
        }

        @Override
        public Optional<Extent> nextData(long from) {
            return from < bytes.length ? Optional.of(new Extent(from, bytes.length - from)) : Optional.empty();
        }

        @Override
        public void read(ByteBuffer into, long offset) throws UnreadableException {
            reads++;
            long end = offset + into.remaining();
            for (int block : bad) {
                if (offset < (block + 1L) * BLOCK && end > (long) block * BLOCK) {
                    into.put((byte) 1); // A read that fails may have read some.
                    throw new UnreadableException("Input/output error");
                }
            }
            into.put(bytes, (int) offset, into.remaining());
        }

        @Override
        public int readBytes() {
            return 1 << 20;
        }

        @Override
        public void checkUnchanged() {}

        @Override
        public void close() {}
    }

    private final byte[] content = new byte[BLOCKS * BLOCK - 100];

    CheckedImageTest() {
        new Random(1).nextBytes(content);
    }

    @Override
    protected ImageSource open(Path raw) throws IOException {
        return new CheckedImage(new ImageAddress.RawFile(raw).open(), "raw", OnReadError.SKIP, 128);
    }

    @Override
    protected long mostDataBytes() {
        return (4 << 20) + 200_000;
    }

    private static CheckedImage skipping(BadBlocks image, int maxRanges) {
        return new CheckedImage(image, "disk", OnReadError.SKIP, maxRanges);
    }

    private static byte[] read(ImageSource image, long offset, int count) throws IOException {
        ByteBuffer into = ByteBuffer.allocateDirect(count + 3).position(3);
        image.read(into, offset);
        assertThat(into.hasRemaining()).isFalse();
        byte[] bytes = new byte[count];
        into.get(3, bytes);
        return bytes;
    }

    @Test
    void unreadableBlocksAreZerosAndEverythingElseIsRead() throws IOException {
        BadBlocks bad = new BadBlocks(content, 3, 4, 100, BLOCKS - 1);
        CheckedImage image = skipping(bad, 128);
        byte[] expected = content.clone();
        Arrays.fill(expected, 3 * BLOCK, 5 * BLOCK, (byte) 0);
        Arrays.fill(expected, 100 * BLOCK, 101 * BLOCK, (byte) 0);
        Arrays.fill(expected, (BLOCKS - 1) * BLOCK, content.length, (byte) 0);
        assertThat(read(image, 0, content.length)).isEqualTo(expected);
        assertThat(image.skipped())
                .containsExactly(
                        new Extent(3 * BLOCK, 2 * BLOCK),
                        new Extent(100 * BLOCK, BLOCK),
                        new Extent((BLOCKS - 1) * BLOCK, BLOCK - 100));
        assertThat(bad.reads).as("halves, not blocks").isLessThan(80);
        assertThat(read(image, 3 * BLOCK + 10, 20))
                .as("the same when it is read again, and a part of it")
                .isEqualTo(new byte[20]);
        assertThat(read(image, 5 * BLOCK - 5, 10))
                .isEqualTo(Arrays.copyOfRange(expected, 5 * BLOCK - 5, 5 * BLOCK + 5));
    }

    @Test
    void anyReadOfAnyRangeIsRightWhereverItBegins() throws IOException {
        Random random = new Random(2);
        byte[] expected = content.clone();
        Arrays.fill(expected, 7 * BLOCK, 8 * BLOCK, (byte) 0);
        Arrays.fill(expected, 9 * BLOCK, 10 * BLOCK, (byte) 0);
        CheckedImage image = skipping(new BadBlocks(content, 7, 9), 128);
        for (int i = 0; i < 300; i++) {
            int from = random.nextInt(12 * BLOCK);
            int count = 1 + random.nextInt(8 * BLOCK);
            assertThat(read(image, from, count)).isEqualTo(Arrays.copyOfRange(expected, from, from + count));
        }
        assertThat(image.skipped()).containsExactly(new Extent(7 * BLOCK, BLOCK), new Extent(9 * BLOCK, BLOCK));
    }

    @Test
    void withoutSkippingTheFirstUnreadableBlockIsNamedWithTheWayOn() {
        CheckedImage image = new CheckedImage(new BadBlocks(content, 5, 200), "/dev/sdx", OnReadError.FAIL, 128);
        assertThatThrownBy(() -> read(image, BLOCK, 250 * BLOCK))
                .hasMessage(
                        "image /dev/sdx: can't read 4096 bytes at offset 20480: Input/output error: copy it from a whole"
                                + " disk, or back up the rest of it with --on-read-error skip");
    }

    @Test
    void moreThanASnapshotCanNameIsAnError() throws IOException {
        CheckedImage two = skipping(new BadBlocks(content, 1, 3), 2);
        read(two, 0, content.length);
        CheckedImage three = skipping(new BadBlocks(content, 1, 3, 5), 2);
        assertThatThrownBy(() -> read(three, 0, content.length))
                .hasMessageContaining("image disk: more than 2 ranges can't be read, the last at offset 20480")
                .hasMessageContaining("ddrescue");
        CheckedImage gone = skipping(new BadBlocks(new byte[2 * BLOCK], 0, 1), 2);
        assertThatThrownBy(() -> read(gone, 0, 2 * BLOCK)).hasMessageContaining("nothing of it can be read");
    }
}
