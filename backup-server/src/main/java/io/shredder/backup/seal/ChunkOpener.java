// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import io.shredder.backup.protocol.BadChunkException;
import io.shredder.backup.protocol.ChunkRef;
import io.shredder.backup.protocol.StoredChunk;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
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
    private final PieceDigests digests;
    private byte[] unsealed = new byte[0];

    /**
     * Opens what was sealed under this key.
     *
     * @param digests digests what was opened
     */
    public ChunkOpener(RepositoryKey key, PieceDigests digests) {
        this.digests = digests;
        this.keys = new ChunkKeys(key);
        this.identities = new ChunkIdentity(key);
    }

    /**
     * Writes the plain bytes of chunks back to back, proved by their seals and then by their identities: many at once, since digests side by side
     * cost less.
     *
     * @param target direct, with room for their plain lengths from its position on, which does not change
     * @throws BadChunkException if anybody but a holder of the key changed a bit, or the bytes are not those of the identity; names the
     *     first such chunk
     * @throws IOException if the digests can't be made
     */
    public void open(List<StoredChunk> chunks, ByteBuffer target) throws BadChunkException, IOException {
        int[] lengths = new int[chunks.size()];
        int at = target.position();
        for (int i = 0; i < lengths.length; i++) {
            StoredChunk chunk = chunks.get(i);
            lengths[i] = chunk.ref().length();
            expand(chunk.ref(), unseal(chunk), target.slice(at, lengths[i]));
            at += lengths[i];
        }
        List<Fingerprint> found = digests.of(target, lengths);
        for (int i = 0; i < lengths.length; i++) {
            Fingerprint expected = chunks.get(i).ref().fingerprint();
            if (!identities.of(found.get(i)).equals(expected)) {
                throw new BadChunkException(expected, "its bytes have another identity");
            }
        }
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

    private void expand(ChunkRef ref, int bytes, ByteBuffer plain) throws BadChunkException {
        switch (unsealed[0]) {
            case ChunkKeys.FORM_RAW -> raw(ref, bytes, plain);
            case ChunkKeys.FORM_ZSTD -> decompress(ref, bytes, plain);
            default -> throw new BadChunkException(ref.fingerprint(), "unknown form " + unsealed[0]);
        }
    }

    private void raw(ChunkRef ref, int bytes, ByteBuffer plain) throws BadChunkException {
        if (bytes - 1 != ref.length()) {
            throw new BadChunkException(ref.fingerprint(), "has " + (bytes - 1) + " bytes");
        }
        plain.put(unsealed, 1, bytes - 1);
    }

    private void decompress(ChunkRef ref, int bytes, ByteBuffer plain) throws BadChunkException {
        try {
            int length = zstd.decompressByteArrayToDirectByteBuffer(plain, 0, ref.length(), unsealed, 1, bytes - 1);
            if (length != ref.length()) {
                throw new BadChunkException(
                        ref.fingerprint(), "decompresses to " + length + " bytes, not " + ref.length());
            }
        } catch (ZstdException e) {
            throw new BadChunkException(ref.fingerprint(), "can't be decompressed: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        zstd.close();
    }
}
