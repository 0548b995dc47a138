// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import com.google.common.primitives.Bytes;
import com.google.common.primitives.Ints;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.snapshot.SnapshotSeal;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import javax.crypto.AEADBadTagException;

/**
 * Seals the parts of one snapshot's list. Of a private list each once: its AES key is the snapshot's own, by its salt,
 * and the nonce is the page's number, or all ones for the summary. Of a shared list each page has a key of its own,
 * made of what is on it. One thread at a time.
 */
final class ListCipher {

    private static final byte[] PAGE_LABEL = "shredder page 2".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SHARED_LABEL = "shredder page 3".getBytes(StandardCharsets.US_ASCII);
    private static final String SUMMARY_LABEL = "shredder summary 2 ";

    private final AesGcm cipher = new AesGcm();
    private final byte[] key;
    private final byte[] summaryKey;
    private final KeyedHash pageIdentity;
    private final KeyedHash pageKey;

    ListCipher(RepositoryKey repositoryKey, SnapshotSeal seal) {
        ByteBuffer salt = ByteBuffer.allocate(SnapshotSeal.BYTES);
        seal.write(salt);
        key = new KeyedHash(repositoryKey.derive("list sealing", RepositoryKey.BYTES)).of(salt.array());
        pageIdentity = new KeyedHash(repositoryKey.derive("page identity", RepositoryKey.BYTES));
        pageKey = new KeyedHash(repositoryKey.derive("page sealing", RepositoryKey.BYTES));
        summaryKey = new KeyedHash(repositoryKey.derive("summary sealing", RepositoryKey.BYTES)).of(salt.array());
    }

    byte[] sealPage(int number, List<Fingerprint> references, byte[] pointers) {
        return cipher.seal(key, pageNonce(number), pageOpenBytes(references), pointers);
    }

    byte[] openPage(int number, List<Fingerprint> references, byte[] sealed) throws AEADBadTagException {
        return cipher.open(key, pageNonce(number), pageOpenBytes(references), sealed, 0);
    }

    /**
     * A page of a shared list: the same for the same references and pointers, whatever the snapshot. What comes first
     * its key is made of.
     */
    byte[] sealSharedPage(List<Fingerprint> references, byte[] pointers) {
        byte[] open = sharedOpenBytes(references);
        byte[] identity = pageIdentity.of(Bytes.concat(open, pointers));
        // A cipher of its own: Java's refuse to seal the same twice, as equal pages behind each other would.
        byte[] sealed = new AesGcm().seal(pageKey.of(identity), new byte[AesGcm.NONCE_BYTES], open, pointers);
        return Bytes.concat(identity, sealed);
    }

    byte[] openSharedPage(List<Fingerprint> references, byte[] sealed) throws AEADBadTagException {
        if (sealed.length < Fingerprint.BYTES) {
            throw new AEADBadTagException(sealed.length + " bytes are shorter than what the key is made of");
        }
        byte[] key = pageKey.of(Arrays.copyOf(sealed, Fingerprint.BYTES));
        return cipher.open(key, new byte[AesGcm.NONCE_BYTES], sharedOpenBytes(references), sealed, Fingerprint.BYTES);
    }

    byte[] sealSummary(SnapshotName name, byte[] summary) {
        return cipher.seal(key, summaryNonce(), summaryOpenBytes(name), summary);
    }

    byte[] openSummary(SnapshotName name, byte[] sealed) throws AEADBadTagException {
        return cipher.open(key, summaryNonce(), summaryOpenBytes(name), sealed, 0);
    }

    /** A summary of version 3, which may be sealed several times: a random nonce and the sealed bytes. */
    byte[] sealPlacedSummary(byte[] nonce, byte[] open, byte[] summary) {
        return Bytes.concat(nonce, cipher.seal(summaryKey, nonce, open, summary));
    }

    byte[] openPlacedSummary(byte[] open, byte[] sealed) throws AEADBadTagException {
        byte[] nonce = Arrays.copyOf(sealed, AesGcm.NONCE_BYTES);
        return cipher.open(summaryKey, nonce, open, sealed, AesGcm.NONCE_BYTES);
    }

    private static byte[] pageNonce(int number) {
        return ByteBuffer.allocate(AesGcm.NONCE_BYTES)
                .putInt(AesGcm.NONCE_BYTES - Integer.BYTES, number)
                .array();
    }

    private static byte[] summaryNonce() {
        byte[] nonce = new byte[AesGcm.NONCE_BYTES];
        Arrays.fill(nonce, (byte) 0xFF);
        return nonce;
    }

    private static byte[] pageOpenBytes(List<Fingerprint> references) {
        return openBytes(PAGE_LABEL, references);
    }

    /** The count tells where the references end and the pointers begin. */
    private static byte[] sharedOpenBytes(List<Fingerprint> references) {
        return openBytes(Bytes.concat(SHARED_LABEL, Ints.toByteArray(references.size())), references);
    }

    private static byte[] openBytes(byte[] label, List<Fingerprint> references) {
        ByteBuffer open = ByteBuffer.allocate(label.length + references.size() * Fingerprint.BYTES);
        open.put(label);
        references.forEach(reference -> reference.write(open));
        return open.array();
    }

    private static byte[] summaryOpenBytes(SnapshotName name) {
        return (SUMMARY_LABEL + name.value()).getBytes(StandardCharsets.US_ASCII);
    }
}
