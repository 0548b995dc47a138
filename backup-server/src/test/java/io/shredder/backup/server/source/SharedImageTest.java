// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
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

    private static boolean isRead(SharedImage image, byte[] content, int place) {
        int from = place * 487 % (content.length - 9000);
        try {
            return Arrays.equals(image.bytes(from, 9000), Arrays.copyOfRange(content, from, from + 9000));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
