// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class StretchCacheTest {

    private static final int STRETCH = 100_000;

    private final StretchCache cache = new StretchCache(8 << 20);

    @AfterEach
    void close() {
        cache.close();
    }

    private static byte[] bytes(long seed) {
        byte[] bytes = new byte[STRETCH];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private void put(long start) throws InterruptedException {
        byte[] bytes = bytes(start);
        cache.put(start, STRETCH, (from, part) -> part.put(bytes, from, part.remaining()));
    }

    private boolean reads(long start, int from, int count) throws DamagedRangeException {
        ByteBuffer into = ByteBuffer.allocate(count);
        if (!cache.read(start, from, into)) {
            return false;
        }
        assertThat(into.array()).isEqualTo(Arrays.copyOfRange(bytes(start), from, from + count));
        return true;
    }

    @Test
    void whatIsPutIsReadFromAnyByteOn() throws Exception {
        put(7);
        assertThat(reads(7, 0, STRETCH)).isTrue();
        assertThat(reads(7, 32_767, 2)).isTrue();
        assertThat(reads(7, STRETCH - 1, 1)).isTrue();
        assertThat(reads(8, 0, 1)).isFalse();
    }

    @Test
    void thoseThatNobodyReadGoFirst() throws Exception {
        for (long start = 0; start < 200; start++) {
            put(start);
            assertThat(reads(0, 0, 10)).as("read again and again").isTrue();
        }
        assertThat(reads(199, 0, STRETCH)).isTrue();
        assertThat(cache.has(1)).isFalse();
    }

    @Test
    void damageHurtsItsOwnRangeAlone() throws Exception {
        byte[] bytes = bytes(3);
        var damaged = new DamagedRangeException("gone", 3 + 500, 20, new IOException("rot"));
        cache.put(3, STRETCH, (from, part) -> part.put(bytes, from, part.remaining()), List.of(damaged));
        assertThat(reads(3, 0, 500)).isTrue();
        assertThat(reads(3, 520, 1000)).isTrue();
        assertThatThrownBy(() -> reads(3, 519, 1)).isEqualTo(damaged);
    }

    @Test
    void memoryThatIsFilledOutlivesTheCache() throws Exception {
        List<ByteBuffer> others = new ArrayList<>();
        cache.put(5, STRETCH, (from, part) -> {
            cache.close();
            // Whoever needs memory now must not get what is being filled.
            for (int i = 0; i < 8; i++) {
                others.add(ByteBuffer.allocateDirect(4 << 20));
            }
            while (part.hasRemaining()) {
                part.put((byte) 1);
            }
        });
        for (ByteBuffer other : others) {
            assertThat(other.mismatch(ByteBuffer.allocate(other.capacity()))).isEqualTo(-1);
        }
        cache.put(6, STRETCH, (from, part) -> {
            throw new IllegalStateException("nothing is filled once it is closed");
        });
    }
}
