// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.protocol;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Turns chunks into their stored form: zstd level 1, or raw where that doesn't make it shorter. One thread at a time; holds
 * native memory until closed.
 */
public final class ChunkSealer implements AutoCloseable {

    private static final int LEVEL = 1;

    private final ZstdCompressCtx zstd = new ZstdCompressCtx().setLevel(LEVEL).setContentSize(true);
    private byte[] scratch = new byte[0];

    /**
     * The stored form of one chunk.
     *
     * @param fingerprint SHA-256 of {@code plain}; trusted here, checked by the agent
     * @param plain the chunk's bytes; not kept, not changed
     */
    public StoredChunk seal(Fingerprint fingerprint, byte[] plain) {
        ChunkRef ref = new ChunkRef(plain.length, fingerprint);
        int bound = (int) Zstd.compressBound(plain.length);
        if (scratch.length < bound) {
            scratch = new byte[bound];
        }
        int compressed = zstd.compressByteArray(scratch, 0, scratch.length, plain, 0, plain.length);
        if (compressed >= plain.length) {
            return new StoredChunk(ref, ChunkCodec.RAW, fingerprint, new StoredChunk.Payload(plain.clone()));
        }
        byte[] stored = Arrays.copyOf(scratch, compressed);
        Fingerprint storedDigest = Fingerprint.ofData(ByteBuffer.wrap(stored));
        return new StoredChunk(ref, ChunkCodec.ZSTD, storedDigest, new StoredChunk.Payload(stored));
    }

    @Override
    public void close() {
        zstd.close();
    }
}
