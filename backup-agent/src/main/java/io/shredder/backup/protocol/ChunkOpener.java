// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.protocol;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;

/**
 * Turns stored chunks back into plain ones, and proves on the way that they are what they claim to be. One thread at a time; holds
 * native memory until closed.
 */
public final class ChunkOpener implements AutoCloseable {

    /** A chunk whose bytes are not what its digests say. */
    public static final class BadChunkException extends Exception {
        private static final long serialVersionUID = 1L;

        BadChunkException(Fingerprint chunk, String problem) {
            super("chunk " + chunk + ": " + problem);
        }
    }

    private final ZstdDecompressCtx zstd = new ZstdDecompressCtx();

    /**
     * The plain bytes, both digests checked.
     *
     * @throws BadChunkException if stored or plain bytes differ from their digest, or can't be decompressed
     */
    public byte[] open(StoredChunk chunk) throws BadChunkException {
        checkStored(chunk);
        return openChecked(chunk);
    }

    /** {@link #open} for a chunk that has passed {@link #checkStored}. */
    public byte[] openChecked(StoredChunk chunk) throws BadChunkException {
        byte[] plain = decode(chunk);
        boolean checkedAsStored = chunk.codec() == ChunkCodec.RAW
                && chunk.storedDigest().equals(chunk.ref().fingerprint());
        if (!checkedAsStored
                && !Fingerprint.ofData(ByteBuffer.wrap(plain))
                        .equals(chunk.ref().fingerprint())) {
            throw new BadChunkException(chunk.ref().fingerprint(), "its bytes have another SHA-256");
        }
        return plain;
    }

    /** Checks the digest of the stored bytes alone. */
    public static void checkStored(StoredChunk chunk) throws BadChunkException {
        if (!Fingerprint.ofData(chunk.stored().view()).equals(chunk.storedDigest())) {
            throw new BadChunkException(chunk.ref().fingerprint(), "its stored bytes have another SHA-256");
        }
    }

    private byte[] decode(StoredChunk chunk) throws BadChunkException {
        byte[] stored = chunk.stored().array();
        if (chunk.codec() == ChunkCodec.RAW) {
            return stored;
        }
        byte[] plain = new byte[chunk.ref().length()];
        try {
            int length = zstd.decompressByteArray(plain, 0, plain.length, stored, 0, stored.length);
            if (length != plain.length) {
                throw new BadChunkException(
                        chunk.ref().fingerprint(), "decompresses to " + length + " bytes, not " + plain.length);
            }
            return plain;
        } catch (ZstdException e) {
            throw new BadChunkException(chunk.ref().fingerprint(), "can't be decompressed: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        zstd.close();
    }
}
