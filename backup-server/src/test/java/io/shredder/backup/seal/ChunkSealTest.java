// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.protocol.BadChunkException;
import io.shredder.backup.protocol.ChunkCodec;
import io.shredder.backup.protocol.ChunkRef;
import io.shredder.backup.protocol.StoredChunk;
import io.shredder.backup.protocol.WireFormat;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ChunkSealTest {

    private final RepositoryKey key = RepositoryKey.generate(Keys.RANDOM);
    private final ChunkOpener opener = new ChunkOpener(key, PieceDigests::oneByOne);

    @AfterEach
    void close() {
        opener.close();
    }

    private static StoredChunk chunk(ChunkRef ref, byte[] stored) {
        Fingerprint digest = Fingerprint.ofData(ByteBuffer.wrap(stored));
        return new StoredChunk(ref, ChunkCodec.SEALED, digest, new StoredChunk.Payload(stored));
    }

    private void assertRefused(StoredChunk chunk, String as) {
        assertThatThrownBy(() -> Keys.opened(opener, chunk))
                .as(as)
                .isInstanceOf(BadChunkException.class)
                .hasMessageContaining(chunk.ref().fingerprint().toString());
    }

    @Test
    void whatWasSealedOpensToTheSameBytesAndNoLongerThanTheOverhead() throws BadChunkException, IOException {
        Random random = Keys.seeded();
        for (int round = 0; round < 200; round++) {
            byte[] plain = Keys.bytes(random, 1 + random.nextInt(100_000), round % 2 == 0);
            StoredChunk sealed = Keys.sealed(key, plain);
            assertThat(Keys.opened(opener, sealed)).isEqualTo(plain);
            assertThat(sealed.stored().length()).isLessThanOrEqualTo(plain.length + WireFormat.SEAL_BYTES);
        }
    }

    @Test
    void theLongestChunkFitsWhateverItHolds() throws BadChunkException, IOException {
        byte[] plain = Keys.bytes(new Random(1), WireFormat.MAX_CHUNK_BYTES, false);
        assertThat(Keys.opened(opener, Keys.sealed(key, plain))).isEqualTo(plain);
    }

    @Test
    void ofManyOpenedTogetherTheFirstThatIsBadIsNamed() throws BadChunkException, IOException {
        Random random = Keys.seeded();
        List<StoredChunk> chunks = new ArrayList<>();
        ByteBuffer expected = ByteBuffer.allocate(200_000);
        for (int i = 0; i < 20; i++) {
            byte[] plain = Keys.bytes(random, 1 + random.nextInt(9_000), i % 2 == 0);
            chunks.add(Keys.sealed(key, plain));
            expected.put(plain);
        }
        ByteBuffer target =
                ByteBuffer.allocateDirect(7 + expected.flip().limit()).position(7);
        opener.open(chunks, target);
        assertThat(target).isEqualTo(expected);
        byte[] stored = chunks.get(12).stored().array().clone();
        stored[stored.length - 1] ^= 1;
        chunks.set(12, chunk(chunks.get(12).ref(), stored));
        assertThatThrownBy(() -> opener.open(chunks, target))
                .isInstanceOfSatisfying(BadChunkException.class, e -> assertThat(e.chunk())
                        .isEqualTo(chunks.get(12).ref().fingerprint()));
    }

    @Test
    void everyFlippedBitOfTheStoredFormIsFoundAlsoIfTheDigestIsMadeToFit() {
        for (byte[] plain : new byte[][] {new byte[3000], Keys.bytes(new Random(3), 60, false)}) {
            StoredChunk good = Keys.sealed(key, plain);
            for (int bit = 0; bit < 8 * good.stored().length(); bit++) {
                byte[] stored = good.stored().array().clone();
                stored[bit / 8] ^= (byte) (1 << bit % 8);
                assertRefused(chunk(good.ref(), stored), "bit " + bit);
            }
        }
    }

    @Test
    void aSealedChunkCantBePassedOffAsAnotherNorAsLonger() {
        StoredChunk one = Keys.sealed(key, new byte[500]);
        StoredChunk two = Keys.sealed(key, new byte[600]);
        assertRefused(chunk(two.ref(), one.stored().array()), "another chunk");
        assertRefused(
                chunk(new ChunkRef(501, one.ref().fingerprint()), one.stored().array()), "another length");
    }

    @Test
    void bytesThatAreNotThoseOfTheIdentityAreFoundThoughTheSealIsRight() {
        byte[] plain = {1, 2, 3};
        Fingerprint other = new ChunkIdentity(key).ofData(ByteBuffer.wrap(new byte[] {4}));
        try (ChunkSealer sealer = new ChunkSealer(key, Keys.RANDOM)) {
            assertThatThrownBy(() -> Keys.opened(
                            opener,
                            sealer.seal(
                                    new ChunkRef(plain.length, other),
                                    ByteBuffer.wrap(plain),
                                    ChunkSealer.Effort.QUICK)))
                    .hasMessageContaining("another identity");
        }
    }

    @Test
    void anotherKeyOpensNothingAndGivesOtherIdentities() {
        byte[] plain = new byte[100];
        RepositoryKey other = RepositoryKey.generate(Keys.RANDOM);
        StoredChunk sealed = Keys.sealed(key, plain);
        StoredChunk foreign = Keys.sealed(other, plain);
        assertThat(foreign.ref().fingerprint()).isNotEqualTo(sealed.ref().fingerprint());
        assertRefused(foreign, "sealed with another key");
        assertThat(other.id()).isNotEqualTo(key.id());
    }

    @Test
    void oneSealerSealsLongAndShortChunksWithEveryEffortInTurn() throws BadChunkException, IOException {
        Random random = Keys.seeded();
        try (ChunkSealer sealer = new ChunkSealer(key, Keys.RANDOM)) {
            for (int i = 0; i < 200; i++) {
                byte[] plain = Keys.bytes(random, 1 + random.nextInt(100_000), random.nextBoolean());
                ChunkSealer.Effort effort =
                        ChunkSealer.Effort.values()[random.nextInt(ChunkSealer.Effort.values().length)];
                ChunkRef ref = new ChunkRef(plain.length, new ChunkIdentity(key).ofData(ByteBuffer.wrap(plain)));
                assertThat(Keys.opened(opener, sealer.seal(ref, ByteBuffer.wrap(plain), effort)))
                        .isEqualTo(plain);
            }
        }
    }

    @Test
    void equalChunksHaveOneIdentityAndNeverTheSameStoredBytes() {
        byte[] plain = new byte[100];
        StoredChunk first = Keys.sealed(key, plain);
        StoredChunk second = Keys.sealed(key, plain);
        assertThat(second.ref()).isEqualTo(first.ref());
        assertThat(second.stored().view()).isNotEqualTo(first.stored().view());
    }

    @Test
    void theStoredFormSaysNothingOfTheContents() {
        byte[] plain = "a very well known plain text ".repeat(3).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        StoredChunk sealed = Keys.sealed(key, plain);
        assertThat(sealed.ref().fingerprint()).isNotEqualTo(Fingerprint.ofData(ByteBuffer.wrap(plain)));
        assertThat(new String(sealed.stored().array(), java.nio.charset.StandardCharsets.ISO_8859_1))
                .doesNotContain("well known");
    }
}
