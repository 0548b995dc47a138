// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.snapshot;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.bytes.Texts;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.time.Instant;

/**
 * One committed snapshot, without its list, as an agent knows it.
 *
 * @param id given by the agent at commit; a later commit has a higher one
 * @param name of the series
 * @param received when the agent committed it, by the agent's clock
 * @param imageBytes length of the image
 * @param chunkCount how many pointers it has
 * @param seal what its list is sealed with
 * @param summary for whoever has the key: the lengths again, and how the image was cut
 * @param contentDigest see {@link ContentDigest}
 */
public record SnapshotInfo(
        long id,
        SnapshotName name,
        Instant received,
        long imageBytes,
        long chunkCount,
        SnapshotSeal seal,
        SealedBytes summary,
        Fingerprint contentDigest) {

    /** The longest sealed summary of a snapshot. */
    public static final int MAX_SUMMARY_BYTES = 4096;

    /** Length in messages. */
    public int encodedBytes() {
        return 4 * Long.BYTES
                + SnapshotSeal.BYTES
                + Fingerprint.BYTES
                + Texts.encodedBytes(name.value())
                + Short.BYTES
                + summary.length();
    }

    /** Writes {@link #encodedBytes} bytes at the position of {@code target}, which must be big-endian. */
    public void write(ByteBuffer target) {
        target.putLong(id).putLong(received.toEpochMilli()).putLong(imageBytes).putLong(chunkCount);
        seal.write(target);
        contentDigest.write(target);
        Texts.write(name.value(), target);
        writeSummary(summary, target);
    }

    /** Reads one. */
    public static SnapshotInfo read(BodyReader in) throws DamagedDataException {
        long id = in.u63("snapshot id");
        Instant received = Instant.ofEpochMilli(in.u63("receive time"));
        long imageBytes = in.u63("image length");
        long chunkCount = in.u63("chunk count");
        SnapshotSeal seal = SnapshotSeal.read(in);
        Fingerprint digest = in.fingerprint("content digest");
        SnapshotName name = name(in);
        return new SnapshotInfo(id, name, received, imageBytes, chunkCount, seal, summary(in), digest);
    }

    /** Writes a summary and before it its length, two bytes. */
    public static void writeSummary(SealedBytes summary, ByteBuffer target) {
        target.putShort((short) summary.length());
        summary.write(target);
    }

    /** Reads a summary. */
    public static SealedBytes summary(BodyReader in) throws DamagedDataException {
        int length = in.u16("summary length");
        if (length > MAX_SUMMARY_BYTES) {
            throw in.damaged("a summary of " + length + " bytes");
        }
        return in.sealed("summary", length);
    }

    /** Reads a name. */
    public static SnapshotName name(BodyReader in) throws DamagedDataException {
        String text = in.text("name");
        try {
            return new SnapshotName(text);
        } catch (IllegalArgumentException e) {
            throw in.damaged(String.valueOf(e.getMessage()));
        }
    }
}
