// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import io.shredder.backup.protocol.ChunkCodec;
import io.shredder.backup.protocol.ChunkRef;
import io.shredder.backup.protocol.StoredChunk;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * Turns chunks into the form that travels and is kept: zstd where that makes them shorter, then AES-256-GCM under the chunk's
 * own key with a random nonce. One thread at a time; holds native memory until closed.
 */
public final class ChunkSealer implements AutoCloseable {

    /** How hard to compress. */
    public enum Effort {
        /** While many chunks wait to be sealed: four times as fast as {@link #THOROUGH}, 5 % longer. */
        QUICK(2),
        /** Where little is new, or sealing waits for chunks. */
        THOROUGH(7);

        private final int level;

        Effort(int level) {
            this.level = level;
        }
    }

    private final ZstdCompressCtx zstd = new ZstdCompressCtx().setContentSize(true);
    private final AesGcm cipher = new AesGcm();
    private final ChunkKeys keys;
    private final SecureRandom random;

    private byte[] scratch = new byte[0];
    private byte[] stored = new byte[0];
    private @Nullable Effort lastEffort;

    /** Seals under this key. */
    public ChunkSealer(RepositoryKey key, SecureRandom random) {
        this.keys = new ChunkKeys(key);
        this.random = random;
    }

    /**
     * The stored form of one chunk: nonce, ciphertext, tag; the agent digests it. Its bytes stay the sealer's own: they are good until it seals
     * the next chunk.
     *
     * @param ref length and identity of {@code plain}; trusted here, proved when the chunk is opened
     * @param plain the chunk's bytes, from position to limit, in an array; not kept, not changed
     */
    public StoredChunk seal(ChunkRef ref, ByteBuffer plain, Effort effort) {
        int length = compress(plain, effort);
        byte[] nonce = new byte[AesGcm.NONCE_BYTES];
        random.nextBytes(nonce);
        int storedBytes = AesGcm.NONCE_BYTES + length + AesGcm.TAG_BYTES;
        if (stored.length < storedBytes) {
            stored = new byte[storedBytes];
        }
        System.arraycopy(nonce, 0, stored, 0, nonce.length);
        cipher.seal(keys.keyOf(ref), nonce, ChunkKeys.openBytes(ref), scratch, length, stored, nonce.length);
        return new StoredChunk(
                ref, ChunkCodec.SEALED, StoredChunk.UNDIGESTED, new StoredChunk.Payload(stored, 0, storedBytes));
    }

    /** Leaves the form and the shorter of both forms' bytes in {@link #scratch}; returns their length. */
    private int compress(ByteBuffer plain, Effort effort) {
        byte[] array = plain.array();
        int from = plain.arrayOffset() + plain.position();
        int bytes = plain.remaining();
        if (effort != lastEffort) {
            zstd.setLevel(effort.level);
            lastEffort = effort;
        }
        int bound = 1 + Math.max(bytes, (int) Zstd.compressBound(bytes));
        if (scratch.length < bound) {
            scratch = new byte[bound];
        }
        int compressed = zstd.compressByteArray(scratch, 1, scratch.length - 1, array, from, bytes);
        if (compressed < bytes) {
            scratch[0] = ChunkKeys.FORM_ZSTD;
            return 1 + compressed;
        }
        scratch[0] = ChunkKeys.FORM_RAW;
        System.arraycopy(array, from, scratch, 1, bytes);
        return 1 + bytes;
    }

    @Override
    public void close() {
        zstd.close();
    }
}
