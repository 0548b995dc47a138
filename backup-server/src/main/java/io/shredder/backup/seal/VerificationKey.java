// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import io.shredder.backup.snapshot.KeyId;
import io.shredder.backup.snapshot.SnapshotInfo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * The public half of what signs snapshots: tells those of one repository key from others, and opens nothing. Whoever
 * prunes needs no more. Immutable; its file is one line of text: {@code docs/formats/seal.md}, section 6.
 */
public final class VerificationKey {

    private static final String LABEL = "shredder-verification-key-1";
    private static final Pattern LINE = Pattern.compile(LABEL + " ([0-9a-f]{32}) ([0-9a-f]{64}) ([0-9a-f]{8})\\s*");
    private static final int MAX_FILE_BYTES = 4096;
    private static final HexFormat HEX = HexFormat.of();

    private final KeyId id;
    private final byte[] key;
    private final SignatureCheck checks;

    VerificationKey(KeyId id, byte[] key) {
        this.id = id;
        this.key = key.clone();
        this.checks = new SignatureCheck(this.key);
    }

    /** Of which repository key's snapshots. */
    public KeyId id() {
        return id;
    }

    /** Reads a file. */
    public static VerificationKey read(Path file) throws IOException {
        if (Files.size(file) > MAX_FILE_BYTES) {
            throw notOne(file);
        }
        Matcher line = LINE.matcher(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
        if (!line.matches()) {
            throw notOne(file);
        }
        VerificationKey read = new VerificationKey(KeyId.of(HEX.parseHex(line.group(1))), HEX.parseHex(line.group(2)));
        if (!read.toLine().endsWith(line.group(3))) {
            throw new IOException(
                    file + ": the key's CRC32C differs: write the file again by 'shredder-backup key verification'");
        }
        return read;
    }

    private static IOException notOne(Path file) {
        return new IOException(file + " is no verification key: write one by 'shredder-backup key verification'");
    }

    /** What its file holds. */
    public String toLine() {
        ByteBuffer idBytes = ByteBuffer.allocate(KeyId.BYTES);
        id.write(idBytes);
        String start = LABEL + " " + HEX.formatHex(idBytes.array()) + " " + HEX.formatHex(key);
        CRC32C crc = new CRC32C();
        crc.update(start.getBytes(StandardCharsets.US_ASCII));
        return start + " " + HEX.toHexDigits((int) crc.getValue());
    }

    /**
     * Whether a snapshot that a repository lists was made with the repository key, for that place. False for those of
     * version 2, which have no signature.
     */
    public boolean signed(UUID home, SnapshotInfo snapshot) {
        SignedSummary summary = SignedSummary.of(snapshot.summary());
        if (!snapshot.seal().key().equals(id) || summary == null) {
            return false;
        }
        return checks.isSignature(summary.signature(), summary.signedBytes(home, snapshot));
    }
}
