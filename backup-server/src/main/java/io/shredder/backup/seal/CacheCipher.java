// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.snapshot.SnapshotSeal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;

/**
 * Seals the parts of one cache file, each once: its AES key is the file's own, by its salt, and the nonce is the page's
 * number, or all ones for the end ({@code docs/formats/cache.md}, section 2). One thread at a time.
 */
public final class CacheCipher {

    /** How much longer a part is when it is sealed. */
    public static final int OVERHEAD_BYTES = AesGcm.TAG_BYTES;

    private static final int TAG_KEY_BYTES = 16;
    private static final String PAGE_LABEL = "shredder cache page 2 ";
    private static final String END_LABEL = "shredder cache end 2 ";

    private final AesGcm cipher = new AesGcm();
    private final byte[] key;
    private final SnapshotName name;

    /**
     * For one file.
     *
     * @param seal names the key and has the file's salt, never used before for another file
     * @param name of the series whose file it is
     */
    public CacheCipher(RepositoryKey repositoryKey, SnapshotSeal seal, SnapshotName name) {
        ByteBuffer salt = ByteBuffer.allocate(SnapshotSeal.BYTES);
        seal.write(salt);
        this.key = new KeyedHash(repositoryKey.derive("cache sealing", RepositoryKey.BYTES)).of(salt.array());
        this.name = name;
    }

    /** What chunks are tagged with, in every cache under this key. */
    public static byte[] tagKey(RepositoryKey repositoryKey) {
        return repositoryKey.derive("chunk tags", TAG_KEY_BYTES);
    }

    /** A page; {@link #OVERHEAD_BYTES} longer. */
    public byte[] sealPage(int number, byte[] page) {
        return cipher.seal(key, nonce(number), open(PAGE_LABEL), page);
    }

    /** The page of this number. */
    public byte[] openPage(int number, byte[] sealed) throws AEADBadTagException {
        return cipher.open(key, nonce(number), open(PAGE_LABEL), sealed, 0);
    }

    /** The end of the file. */
    public byte[] sealEnd(byte[] end) {
        return cipher.seal(key, endNonce(), open(END_LABEL), end);
    }

    /** The end of the file. */
    public byte[] openEnd(byte[] sealed) throws AEADBadTagException {
        return cipher.open(key, endNonce(), open(END_LABEL), sealed, 0);
    }

    private static byte[] nonce(int number) {
        return ByteBuffer.allocate(AesGcm.NONCE_BYTES)
                .putInt(AesGcm.NONCE_BYTES - Integer.BYTES, number)
                .array();
    }

    private static byte[] endNonce() {
        byte[] nonce = new byte[AesGcm.NONCE_BYTES];
        Arrays.fill(nonce, (byte) 0xFF);
        return nonce;
    }

    private byte[] open(String label) {
        return (label + name.value()).getBytes(StandardCharsets.US_ASCII);
    }
}
