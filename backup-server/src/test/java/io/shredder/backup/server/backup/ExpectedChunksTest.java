// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.seal.Pointer;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ExpectedChunksTest {

    private static final int CHUNK_BYTES = 8 << 20;
    private static final int PAGE_CHUNKS = 32;
    private static final long PAGE_BYTES = (long) PAGE_CHUNKS * CHUNK_BYTES;
    private static final int PAGES = 40;

    private final AtomicInteger pagesRead = new AtomicInteger();

    private static Fingerprint chunk(int number) {
        return Fingerprint.ofData(ByteBuffer.allocate(4).putInt(0, number));
    }

    private List<Pointer> page() {
        int page = pagesRead.getAndIncrement();
        return page >= PAGES
                ? List.of()
                : IntStream.range(page * PAGE_CHUNKS, (page + 1) * PAGE_CHUNKS)
                        .mapToObj(number -> Pointer.to(new ChunkRef(CHUNK_BYTES, chunk(number))))
                        .toList();
    }

    @Test
    void aChunkIsExpectedWhereItWasAndNearby() {
        ExpectedChunks expected = new ExpectedChunks(Optional.of(this::page));
        for (int number = 0; number < PAGES * PAGE_CHUNKS; number++) {
            long offset = (long) number * CHUNK_BYTES;
            assertThat(expected.contains(chunk(number), offset)).isTrue();
            assertThat(expected.contains(chunk(Math.max(0, number - 20)), offset))
                    .isTrue();
            assertThat(expected.contains(chunk(Math.min(PAGES * PAGE_CHUNKS - 1, number + 20)), offset))
                    .isTrue();
            assertThat(expected.contains(chunk(-1 - number), offset)).isFalse();
        }
    }

    @Test
    void onlyPagesNearThePlaceAreReadAndKept() {
        ExpectedChunks expected = new ExpectedChunks(Optional.of(this::page));
        assertThat(expected.contains(chunk(0), 0)).isTrue();
        assertThat(pagesRead.get()).isLessThanOrEqualTo(4);
        assertThat(expected.contains(chunk(0), 20 * PAGE_BYTES)).isFalse();
        assertThat(expected.contains(chunk(20 * PAGE_CHUNKS), 20 * PAGE_BYTES)).isTrue();
    }

    @Test
    void aListThatCannotBeReadIsDoneWithout() {
        ExpectedChunks expected = new ExpectedChunks(Optional.of(() -> {
            if (pagesRead.get() > 0) {
                throw new IOException("damaged");
            }
            return page();
        }));
        assertThat(expected.contains(chunk(3), 0)).isTrue();
        assertThat(expected.contains(chunk(PAGE_CHUNKS), 0)).isFalse();
        assertThat(new ExpectedChunks(Optional.empty()).contains(chunk(3), 0)).isFalse();
    }
}
