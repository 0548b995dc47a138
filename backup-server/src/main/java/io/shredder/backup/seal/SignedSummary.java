// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.snapshot.SnapshotSeal;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A summary of version 3: its sealed bytes, and before them a signature by which anyone with the
 * {@link VerificationKey} can tell whose it is and where it belongs: {@code docs/formats/seal.md}, section 5.
 */
final class SignedSummary {

    static final int SIGNATURE_BYTES = 64;

    private static final byte VERSION = 3;
    private static final int HEAD_BYTES = 1 + SIGNATURE_BYTES;
    private static final byte[] LABEL = "shredder snapshot 1".getBytes(StandardCharsets.US_ASCII);

    private final byte[] signature;
    private final byte[] sealed;

    private SignedSummary(byte[] signature, byte[] sealed) {
        this.signature = signature;
        this.sealed = sealed;
    }

    /** The parts of a summary; null if it is none of version 3. */
    static @Nullable SignedSummary of(SealedBytes summary) {
        if (summary.length() < HEAD_BYTES + AesGcm.NONCE_BYTES + AesGcm.TAG_BYTES
                || summary.view().get(0) != VERSION) {
            return null;
        }
        byte[] all = new byte[summary.length()];
        summary.view().get(all);
        return new SignedSummary(
                Arrays.copyOfRange(all, 1, HEAD_BYTES), Arrays.copyOfRange(all, HEAD_BYTES, all.length));
    }

    /**
     * Signs sealed bytes for the snapshot that they are to be the summary of.
     *
     * @param seed of the signing key, 32 bytes
     * @param snapshot all but its summary and receive time count
     */
    static SealedBytes sign(byte[] seed, UUID home, SnapshotInfo snapshot, byte[] sealed) {
        SignedSummary unsigned = new SignedSummary(new byte[0], sealed);
        byte[] signature = SigningKey.sign(seed, unsigned.signedBytes(home, snapshot));
        ByteBuffer bytes = ByteBuffer.allocate(HEAD_BYTES + sealed.length);
        return new SealedBytes(bytes.put(VERSION).put(signature).put(sealed).array());
    }

    byte[] signature() {
        return signature;
    }

    byte[] sealed() {
        return sealed;
    }

    byte[] signedBytes(UUID home, SnapshotInfo snapshot) {
        SnapshotName name = snapshot.name();
        byte[] series = name.value().getBytes(StandardCharsets.US_ASCII);
        ByteBuffer bytes = ByteBuffer.allocate(LABEL.length
                + 16
                + 3 * Long.BYTES
                + SnapshotSeal.BYTES
                + Fingerprint.BYTES
                + Short.BYTES
                + series.length
                + sealed.length);
        bytes.put(LABEL).putLong(home.getMostSignificantBits()).putLong(home.getLeastSignificantBits());
        bytes.putLong(snapshot.id()).putLong(snapshot.imageBytes()).putLong(snapshot.chunkCount());
        snapshot.seal().write(bytes);
        snapshot.contentDigest().write(bytes);
        return bytes.putShort((short) series.length).put(series).put(sealed).array();
    }
}
