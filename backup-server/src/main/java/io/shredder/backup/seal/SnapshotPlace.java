// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.backup.snapshot.AuditPosition;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.UUID;

/**
 * Where a snapshot was committed, sealed with its summary, so that it can't be passed off as another, nor a series be
 * shortened or bent: {@code docs/formats/seal.md}, section 5.
 *
 * @param home {@link #home} of whose snapshots it was committed among
 * @param id that the agent gave it
 * @param ordinal in its series, from 1; what was pruned keeps its own
 * @param predecessor {@link #digest} of the snapshot before it in its series when it was committed;
 *     {@link #NO_PREDECESSOR} for the first
 * @param audit where the agent's audit log ended
 */
public record SnapshotPlace(UUID home, long id, long ordinal, Fingerprint predecessor, AuditPosition audit) {

    /** Of the first snapshot of a series. */
    public static final Fingerprint NO_PREDECESSOR = Fingerprint.read(ByteBuffer.allocate(Fingerprint.BYTES));

    static final int BYTES = 16 + 2 * Long.BYTES + Fingerprint.BYTES + AuditPosition.BYTES;

    private static final byte[] HOME_LABEL = "shredder home 1".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LABEL = "shredder commit 1".getBytes(StandardCharsets.US_ASCII);

    /**
     * What stands for a client's snapshots in a repository: those of another client, or of another repository, can't be
     * passed off as them, though they are sealed with the same key.
     */
    public static UUID home(UUID repository, SnapshotName namespace) {
        MessageDigest digest = DigestAlgorithm.SHA_256.newMessageDigest();
        digest.update(HOME_LABEL);
        ByteBuffer bytes = ByteBuffer.allocate(2 * Long.BYTES);
        bytes.putLong(repository.getMostSignificantBits()).putLong(repository.getLeastSignificantBits());
        digest.update(bytes.flip());
        digest.update(namespace.value().getBytes(StandardCharsets.US_ASCII));
        ByteBuffer first = ByteBuffer.wrap(digest.digest());
        return new UUID(first.getLong(), first.getLong());
    }

    /** What a successor calls this snapshot: a digest of its seal, its list and its summary. */
    public static Fingerprint digest(SnapshotInfo snapshot) {
        MessageDigest digest = DigestAlgorithm.SHA_256.newMessageDigest();
        ByteBuffer content = ByteBuffer.allocate(Fingerprint.BYTES);
        snapshot.contentDigest().write(content);
        digest.update(LABEL);
        digest.update(content.flip());
        digest.update(snapshot.summary().view());
        return Fingerprint.read(ByteBuffer.wrap(digest.digest()));
    }

    void write(ByteBuffer target) {
        target.putLong(home.getMostSignificantBits()).putLong(home.getLeastSignificantBits());
        target.putLong(id).putLong(ordinal);
        predecessor.write(target);
        audit.write(target);
    }

    static SnapshotPlace read(BodyReader in) throws DamagedDataException {
        UUID home = new UUID(in.i64("home"), in.i64("home"));
        long id = in.u63("snapshot id");
        long ordinal = in.u63("ordinal");
        return new SnapshotPlace(home, id, ordinal, in.fingerprint("predecessor"), AuditPosition.read(in));
    }
}
