// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.restore;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.seal.Pointer;
import io.shredder.backup.server.targets.RestoreTarget;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RestoreBatchTest {

    private static ChunkRef chunk(String text) {
        return new ChunkRef(text.length(), Fingerprint.ofData(ByteBuffer.wrap(text.getBytes())));
    }

    /** Notes each write. */
    private static final class Notes implements RestoreTarget {
        private final List<String> writes = new ArrayList<>();

        @Override
        public boolean takesAnyOrder() {
            return false;
        }

        @Override
        public void write(long position, ByteBuffer bytes) {
            byte[] text = new byte[bytes.remaining()];
            bytes.get(text);
            writes.add(position + " " + new String(text));
        }

        @Override
        public void writeZeros(long position, long count) {
            throw new AssertionError("a batch has no zeros");
        }

        @Override
        public void commit(long imageBytes) {}

        @Override
        public void close() {}
    }

    @Test
    void neighboursAreWrittenAtOnceAndAChunkOfSeveralPartsIsFetchedOnce() throws IOException {
        ChunkRef first = chunk("abcdef");
        ChunkRef second = chunk("GHI");
        ChunkRef third = chunk("jklmnop");
        RestoreBatch batch = new RestoreBatch(100);
        batch.add(new Pointer(first, 0, 6));
        batch.add(new Pointer(second, 0, 3));
        batch.add(new Pointer(third, 0, 2));
        batch.add(new Pointer(second, 1, 1));
        batch.add(new Pointer(third, 3, 4));
        batch.add(new Pointer(first, 0, 6));
        assertThat(batch.chunks()).containsExactly(first, second, third);
        assertThat(batch.chunkBytes()).isEqualTo(16);
        assertThat(batch.imageBytes()).isEqualTo(22);
        Notes notes = new Notes();
        batch.write(ByteBuffer.wrap("abcdefGHIjklmnop".getBytes()), notes);
        assertThat(notes.writes).containsExactly("100 abcdefGHIjk", "111 H", "112 mnop", "116 abcdef");
    }

    @Test
    void itIsFullWhenAnotherChunkWouldBeTooMuchUnlessThatIsThereAlready() {
        RestoreBatch batch = new RestoreBatch(0);
        ChunkRef longest = new ChunkRef(RestoreBatch.MAX_BYTES + 1, chunk("x").fingerprint());
        assertThat(batch.hasRoomFor(longest)).isTrue();
        batch.add(new Pointer(longest, 5, 10));
        assertThat(batch.hasRoomFor(chunk("y"))).isFalse();
        assertThat(batch.hasRoomFor(longest)).isTrue();
    }
}
