// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import io.shredder.backup.posix.DirectMemory;
import io.shredder.backup.region.ChunkCodec;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.region.StoredRegion;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns chunks into the form that travels and is kept, some of them together: zstd where that makes them shorter, then
 * AES-256-GCM under the region's own key with a random nonce. One thread at a time; holds native memory until closed.
 */
public final class RegionSealer implements AutoCloseable {

    /** How hard to compress. */
    public enum Effort {
        /** While many chunks wait to be sealed: four times as fast as {@link #THOROUGH}, 5 % longer. */
        QUICK(1) {
            /** Level 1 with a table that a whole region fits into: half a percent shorter for 2 % of time. */
            @Override
            void set(ZstdCompressCtx zstd) {
                super.set(zstd);
                zstd.setHashLog(QUICK_HASH_LOG).setMinMatch(QUICK_MIN_MATCH);
            }
        },
        /** Where little is new, or sealing waits for chunks. */
        THOROUGH(7);

        private final int level;

        Effort(int level) {
            this.level = level;
        }

        void set(ZstdCompressCtx zstd) {
            zstd.reset();
            zstd.setContentSize(true).setLevel(level);
        }
    }

    private static final int QUICK_HASH_LOG = 16;
    private static final int QUICK_MIN_MATCH = 6;

    private final ZstdCompressCtx zstd = new ZstdCompressCtx();
    private final AesGcm cipher = new AesGcm();
    private final RegionKeys keys;
    private final SecureRandom random;

    /** Outside of the heap: compressing takes long, and arrays that native code uses hold the collector up. */
    private ByteBuffer compressed = ByteBuffer.allocateDirect(0);

    private byte[] scratch = new byte[0];
    private byte[] stored = new byte[0];
    private @Nullable Effort lastEffort;

    /** Seals under this key. */
    public RegionSealer(RepositoryKey key, SecureRandom random) {
        this.keys = new RegionKeys(key);
        this.random = random;
    }

    /**
     * The stored form of chunks: their table, nonce, ciphertext, tag; the agent digests it. Its bytes stay the sealer's
     * own: they are good until it seals the next region.
     *
     * @param chunks one, or several to be sealed together: their lengths and identities; trusted here, proved when they
     *     are opened
     * @param plain the chunks' bytes, one behind the other, from position to limit of a direct buffer; not kept, not
     *     changed
     */
    public StoredRegion seal(List<ChunkRef> chunks, ByteBuffer plain, Effort effort) {
        int length = compress(plain, effort);
        byte[] nonce = new byte[AesGcm.NONCE_BYTES];
        random.nextBytes(nonce);
        int tableBytes = StoredRegion.tableBytes(chunks.size());
        int storedBytes = tableBytes + AesGcm.NONCE_BYTES + length + AesGcm.TAG_BYTES;
        if (stored.length < storedBytes) {
            stored = new byte[storedBytes];
        }
        StoredRegion.writeTable(chunks, ByteBuffer.wrap(stored).put(tableBytes, nonce));
        byte[] open = RegionKeys.openBytes(chunks);
        cipher.seal(keys.keyOf(chunks, open), nonce, open, scratch, length, stored, tableBytes + nonce.length);
        return new StoredRegion(
                chunks,
                chunks.size() == 1 ? ChunkCodec.SEALED : ChunkCodec.SEALED_TOGETHER,
                StoredRegion.UNDIGESTED,
                new StoredRegion.Payload(stored, 0, storedBytes));
    }

    /** Leaves the form and the shorter of both forms' bytes in {@link #scratch}; returns their length. */
    private int compress(ByteBuffer plain, Effort effort) {
        int bytes = plain.remaining();
        if (effort != lastEffort) {
            effort.set(zstd);
            lastEffort = effort;
        }
        int bound = (int) Zstd.compressBound(bytes);
        if (compressed.capacity() < bound) {
            free();
            compressed = ByteBuffer.allocateDirect(bound);
        }
        int shorter = zstd.compressDirectByteBuffer(compressed, 0, bound, plain, plain.position(), bytes);
        boolean isRaw = shorter >= bytes;
        int length = isRaw ? bytes : shorter;
        if (scratch.length <= length) {
            scratch = new byte[1 + Math.max(length, bytes)];
        }
        scratch[0] = isRaw ? RegionKeys.FORM_RAW : RegionKeys.FORM_ZSTD;
        if (isRaw) {
            plain.get(plain.position(), scratch, 1, length);
        } else {
            compressed.get(0, scratch, 1, length);
        }
        return 1 + length;
    }

    private void free() {
        if (compressed.capacity() > 0) {
            DirectMemory.free(compressed);
            compressed = ByteBuffer.allocateDirect(0);
        }
    }

    @Override
    public void close() {
        zstd.close();
        free();
    }
}
