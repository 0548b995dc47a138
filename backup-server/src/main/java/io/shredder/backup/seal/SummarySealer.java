// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import com.google.common.primitives.Bytes;
import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.snapshot.SnapshotSeal;
import io.shredder.chunk.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;

/** Seals and signs one list's summaries: a backup's, and again one for each agent's copy. One thread at a time. */
public final class SummarySealer {

    private static final byte[] LABEL = "shredder summary 3 ".getBytes(StandardCharsets.US_ASCII);

    private final RepositoryKey key;
    private final SnapshotSeal seal;
    private final SnapshotName name;
    private final ListCipher cipher;
    private final SecureRandom random;

    /**
     * For the list with this seal.
     *
     * @param name of the series
     */
    public SummarySealer(RepositoryKey key, SnapshotSeal seal, SnapshotName name, SecureRandom random) {
        this.key = key;
        this.seal = seal;
        this.name = name;
        this.cipher = new ListCipher(key, seal);
        this.random = random;
    }

    /**
     * A summary as it is sent at commit.
     *
     * @param summary with its place
     * @param contentDigest of the whole list
     */
    public SealedBytes seal(SnapshotSummary summary, Fingerprint contentDigest) {
        SnapshotPlace place = summary.place()
                .orElseThrow(() -> new IllegalArgumentException("a summary without a place is not sealed any more"));
        byte[] nonce = new byte[AesGcm.NONCE_BYTES];
        random.nextBytes(nonce);
        byte[] sealed = cipher.sealPlacedSummary(nonce, openBytes(name, contentDigest), summary.encode());
        SnapshotInfo snapshot = committed(summary, new SealedBytes(new byte[0]), contentDigest, Instant.EPOCH);
        return SignedSummary.sign(key.signingSeed(), place.home(), snapshot, sealed);
    }

    /**
     * What an agent is to make of a commit, but for when it received it.
     *
     * @param summary with its place
     * @param sealed the same as it is sent
     * @param received by the agent's clock
     */
    public SnapshotInfo committed(
            SnapshotSummary summary, SealedBytes sealed, Fingerprint contentDigest, Instant received) {
        long id = summary.place().orElseThrow().id();
        return new SnapshotInfo(
                id, name, received, summary.imageBytes(), summary.chunkCount(), seal, sealed, contentDigest);
    }

    static byte[] openBytes(SnapshotName name, Fingerprint contentDigest) {
        return Bytes.concat(LABEL, contentDigest.toBytes(), name.value().getBytes(StandardCharsets.US_ASCII));
    }
}
