// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.protocol.ChunkOpener.BadChunkException;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ChunkOpenerTest {

    private final ChunkOpener opener = new ChunkOpener();

    @AfterEach
    void close() {
        opener.close();
    }

    @Test
    void whatWasSealedOpensToTheSameBytes() throws BadChunkException {
        Random random = new Random(Samples.seed());
        for (int round = 0; round < 200; round++) {
            int length = 1 + random.nextInt(100_000);
            byte[] plain = round % 2 == 0 ? Samples.randomBytes(random, length) : Samples.text(random, length);
            StoredChunk sealed = Samples.sealed(plain);
            assertThat(opener.open(sealed)).isEqualTo(plain);
            assertThat(sealed.stored().length()).isLessThanOrEqualTo(length);
        }
    }

    @Test
    void bytesThatDoNotCompressAreKeptRaw() {
        StoredChunk sealed = Samples.sealed(Samples.randomBytes(new Random(3), 10_000));
        assertThat(sealed.codec()).isEqualTo(ChunkCodec.RAW);
        assertThat(sealed.storedDigest()).isEqualTo(sealed.ref().fingerprint());
    }

    @Test
    void everyFlippedByteOfTheStoredFormIsFound() {
        for (byte[] plain : new byte[][] {new byte[3000], Samples.randomBytes(new Random(3), 300)}) {
            StoredChunk good = Samples.sealed(plain);
            for (int i = 0; i < good.stored().length(); i++) {
                byte[] stored = good.stored().array().clone();
                stored[i] ^= 0x10;
                StoredChunk bad =
                        new StoredChunk(good.ref(), good.codec(), good.storedDigest(), new StoredChunk.Payload(stored));
                assertThatThrownBy(() -> opener.open(bad))
                        .isInstanceOf(BadChunkException.class)
                        .hasMessageContaining(good.ref().fingerprint().toString());
            }
        }
    }

    @Test
    void aLieAboutTheContentsIsFoundEvenIfTheStoredDigestIsRight() {
        StoredChunk good = Samples.sealed(Samples.text(new Random(1), 4000));
        Fingerprint other = Fingerprint.ofData(ByteBuffer.wrap(new byte[] {9}));
        StoredChunk lie = new StoredChunk(new ChunkRef(4000, other), good.codec(), good.storedDigest(), good.stored());
        assertThatThrownBy(() -> opener.open(lie)).hasMessageContaining("another SHA-256");
        StoredChunk shorter = new StoredChunk(
                new ChunkRef(3999, good.ref().fingerprint()), good.codec(), good.storedDigest(), good.stored());
        assertThatThrownBy(() -> opener.open(shorter)).isInstanceOf(BadChunkException.class);
        byte[] garbage = Samples.randomBytes(new Random(2), 50);
        StoredChunk noFrame = new StoredChunk(
                new ChunkRef(4000, other),
                ChunkCodec.ZSTD,
                Fingerprint.ofData(ByteBuffer.wrap(garbage)),
                new StoredChunk.Payload(garbage));
        assertThatThrownBy(() -> opener.open(noFrame)).hasMessageContaining("can't be decompressed");
    }
}
