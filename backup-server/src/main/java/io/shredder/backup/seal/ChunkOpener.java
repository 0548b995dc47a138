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

    private byte[] unseal(StoredChunk chunk) throws BadChunkException {
        byte[] stored = chunk.stored().array();
        byte[] nonce = Arrays.copyOf(stored, AesGcm.NONCE_BYTES);
        try {
            return cipher.open(
                    keys.keyOf(chunk.ref()), nonce, ChunkKeys.openBytes(chunk.ref()), stored, AesGcm.NONCE_BYTES);
        } catch (AEADBadTagException e) {
            throw new BadChunkException(
                    chunk.ref().fingerprint(), "its seal is broken: it was damaged, forged or sealed with another key");
        }
    }

    private byte[] expand(ChunkRef ref, byte[] unsealed) throws BadChunkException {
        return switch (unsealed[0]) {
            case ChunkKeys.FORM_RAW -> raw(ref, unsealed);
            case ChunkKeys.FORM_ZSTD -> decompress(ref, unsealed);
            default -> throw new BadChunkException(ref.fingerprint(), "unknown form " + unsealed[0]);
        };
    }

    private static byte[] raw(ChunkRef ref, byte[] unsealed) throws BadChunkException {
        if (unsealed.length - 1 != ref.length()) {
            throw new BadChunkException(ref.fingerprint(), "has " + (unsealed.length - 1) + " bytes");
        }
        return Arrays.copyOfRange(unsealed, 1, unsealed.length);
    }

    private byte[] decompress(ChunkRef ref, byte[] unsealed) throws BadChunkException {
        byte[] plain = new byte[ref.length()];
        try {
            int length = zstd.decompressByteArray(plain, 0, plain.length, unsealed, 1, unsealed.length - 1);
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
