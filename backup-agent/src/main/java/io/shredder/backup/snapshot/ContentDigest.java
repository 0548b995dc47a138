// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.snapshot;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.security.MessageDigest;

/**
 * SHA-256 over a snapshot's seal and the pages of its list, in order, as they are kept; of a shared list over its
 * pages' digests. Needs no key: an agent checks with it what it keeps. Both sites compute it on their own. Not safe for
 * several threads.
 */
public final class ContentDigest {

    private final MessageDigest sha256 = DigestAlgorithm.SHA_256.newMessageDigest();

    private final boolean shared;

    /** Starts with the seal. */
    public ContentDigest(SnapshotSeal seal) {
        shared = seal.isShared();
        ByteBuffer block = ByteBuffer.allocate(SnapshotSeal.BYTES);
        seal.write(block);
        sha256.update(block.flip());
    }

    /** Takes the next page. */
    public void add(ListPage page) {
        if (shared) {
            addPage(page.digest());
            return;
        }
        ByteBuffer bytes = ByteBuffer.allocate(page.encodedBytes());
        page.write(bytes);
        sha256.update(bytes.flip());
    }

    /** Takes the next page of a shared list, by its digest. */
    public void addPage(Fingerprint pageDigest) {
        ByteBuffer bytes = ByteBuffer.allocate(Fingerprint.BYTES);
        pageDigest.write(bytes);
        addPage(bytes.flip());
    }

    /** The same by the digest's bytes. */
    public void addPage(ByteBuffer pageDigest) {
        sha256.update(pageDigest);
    }

    /** The digest. The object can't be used afterwards. */
    public Fingerprint finish() {
        return Fingerprint.of(sha256.digest());
    }
}
