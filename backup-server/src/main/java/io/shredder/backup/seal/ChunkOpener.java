// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import io.shredder.backup.protocol.BadChunkException;
import io.shredder.backup.protocol.ChunkRef;
import io.shredder.backup.protocol.StoredChunk;
import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;

/**
 * Turns stored chunks back into plain ones, and proves on the way that they are the chunks asked for. One thread at a time; holds native
 * memory until closed.
 */
public final class ChunkOpener implements AutoCloseable {

    private final ZstdDecompressCtx zstd = new ZstdDecompressCtx();
    private final AesGcm cipher = new AesGcm();
    private final ChunkKeys keys;
    private final ChunkIdentity identities;
    private byte[] unsealed = new byte[0];

    /** Opens what was sealed under this key. */
    public ChunkOpener(RepositoryKey key) {
        this.keys = new ChunkKeys(key);
        this.identities = new ChunkIdentity(key);
    }

    /**
     * The plain bytes, proved by the seal and then by their identity.
     *
     * @throws BadChunkException if anybody but a holder of the key changed a bit, or the bytes are not those of the identity
     */
    public byte[] open(StoredChunk chunk) throws BadChunkException {
        ChunkRef ref = chunk.ref();
        byte[] plain = expand(ref, unseal(chunk));
        if (!identities.ofData(ByteBuffer.wrap(plain)).equals(ref.fingerprint())) {
            throw new BadChunkException(ref.fingerprint(), "its bytes have another identity");
        }
        return plain;
    }

    /** Leaves the form and the bytes in it in {@link #unsealed}; returns their length. */
    private int unseal(StoredChunk chunk) throws BadChunkException {
        StoredChunk.Payload stored = chunk.stored();
        int from = stored.from() + AesGcm.NONCE_BYTES;
        int sealedBytes = stored.length() - AesGcm.NONCE_BYTES;
        int bytes = sealedBytes - AesGcm.TAG_BYTES;
        if (unsealed.length < bytes) {
            unsealed = new byte[bytes];
        }
        byte[] nonce = Arrays.copyOfRange(stored.array(), stored.from(), from);
        byte[] open = ChunkKeys.openBytes(chunk.ref());
        try {
            cipher.open(keys.keyOf(chunk.ref()), nonce, open, stored.array(), from, sealedBytes, unsealed);
            return bytes;
        } catch (AEADBadTagException e) {
            throw new BadChunkException(
                    chunk.ref().fingerprint(), "its seal is broken: it was damaged, forged or sealed with another key");
        }
    }

    private byte[] expand(ChunkRef ref, int bytes) throws BadChunkException {
        return switch (unsealed[0]) {
            case ChunkKeys.FORM_RAW -> raw(ref, bytes);
            case ChunkKeys.FORM_ZSTD -> decompress(ref, bytes);
            default -> throw new BadChunkException(ref.fingerprint(), "unknown form " + unsealed[0]);
        };
    }

    private byte[] raw(ChunkRef ref, int bytes) throws BadChunkException {
        if (bytes - 1 != ref.length()) {
            throw new BadChunkException(ref.fingerprint(), "has " + (bytes - 1) + " bytes");
        }
        return Arrays.copyOfRange(unsealed, 1, bytes);
    }

    private byte[] decompress(ChunkRef ref, int bytes) throws BadChunkException {
        byte[] plain = new byte[ref.length()];
        try {
            int length = zstd.decompressByteArray(plain, 0, plain.length, unsealed, 1, bytes - 1);
            if (length != plain.length) {
                throw new BadChunkException(
                        ref.fingerprint(), "decompresses to " + length + " bytes, not " + plain.length);
            }
            return plain;
        } catch (ZstdException e) {
            throw new BadChunkException(ref.fingerprint(), "can't be decompressed: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        zstd.close();
    }
}
