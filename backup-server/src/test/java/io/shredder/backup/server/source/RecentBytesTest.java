// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RecentBytesTest extends ImageSourceContract {

    @Override
    protected ImageSource open(Path raw) throws IOException {
        return new RecentBytes(new ReadImage(new ImageAddress.RawFile(raw).open()));
    }

    @Override
    protected long mostDataBytes() {
        return -1;
    }

    @Test
    void whatWasReadIsNotReadAgain() throws IOException {
        byte[] content = new byte[3_000_001];
        Random random = new Random(8);
        random.nextBytes(content);
        try (ReadImage counting = new ReadImage(new BytesImage(content, List.of(new Extent(0, content.length)), 4096));
                RecentBytes image = new RecentBytes(counting)) {
            for (int i = 0; i < 200; i++) {
                int from = random.nextInt(content.length);
                ByteBuffer into = ByteBuffer.allocateDirect(Math.min(content.length - from, random.nextInt(100_000)));
                image.read(into, from);
                byte[] read = new byte[into.flip().remaining()];
                into.get(read);
                assertThat(read).isEqualTo(Arrays.copyOfRange(content, from, from + read.length));
            }
            assertThat(counting.bytes()).isBetween(2_000_000L, (long) content.length);
        }
    }
}
