// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SharedImageTest extends ImageSourceContract {

    @Override
    protected ImageSource open(Path raw) throws IOException {
        return new SharedImage(new ImageAddress.RawFile(raw).open());
    }

    @Override
    protected long mostDataBytes() {
        return (4 << 20) + 200_000;
    }

    @Test
    void manyThreadsReadWhatIsThereEachForItself() throws IOException {
        byte[] content = new byte[1 << 20];
        new Random(7).nextBytes(content);
        Path file = Files.write(folder.resolve("shared"), content);
        try (SharedImage image = new SharedImage(new ImageAddress.RawFile(file).open())) {
            assertThat(IntStream.range(0, 2000).parallel().allMatch(i -> isRead(image, content, i)))
                    .isTrue();
        }
    }

    /** Some file systems look at each page up to a hole, and many threads ask. */
    @Test
    void theImageIsAskedOnceForEachRunOfData() throws IOException {
        List<Long> asked = new ArrayList<>();
        List<Extent> extents = List.of(new Extent(1000, 499_000), new Extent(600_000, 300_000));
        ImageSource counting = new BytesImage(new byte[1 << 20], extents, 4096) {
            @Override
            public Optional<Extent> nextData(long from) {
                asked.add(from);
                return super.nextData(from);
            }
        };
        try (SharedImage image = new SharedImage(counting)) {
            assertThat(image.nextData(10)).contains(new Extent(1000, 499_000));
            assertThat(image.nextData(999)).contains(new Extent(1000, 499_000));
            assertThat(image.nextData(400_000)).contains(new Extent(400_000, 100_000));
            assertThat(image.nextData(499_999)).contains(new Extent(499_999, 1));
            assertThat(asked).containsExactly(10L);
            assertThat(image.nextData(500_000)).contains(new Extent(600_000, 300_000));
            assertThat(image.nextData(599_000)).contains(new Extent(600_000, 300_000));
            assertThat(asked).containsExactly(10L, 500_000L);
            assertThat(image.nextData(5)).contains(new Extent(1000, 499_000));
            assertThat(image.nextData(950_000)).isEmpty();
            assertThat(image.nextData(2000)).contains(new Extent(2000, 498_000));
            assertThat(asked).as("nothing is known before an answer").containsExactly(10L, 500_000L, 5L, 950_000L);
        }
    }

    private static boolean isRead(SharedImage image, byte[] content, int place) {
        int from = place * 487 % (content.length - 9000);
        try {
            return Arrays.equals(image.bytes(from, 9000), Arrays.copyOfRange(content, from, from + 9000));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
