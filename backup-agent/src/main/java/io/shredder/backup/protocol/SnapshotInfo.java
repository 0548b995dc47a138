// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.protocol;

import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.time.Instant;

/**
 * One committed snapshot, without its pointers.
 *
 * @param id given by the agent at commit; a later commit has a higher one
 * @param name of the series
 * @param received when the agent committed it, by the agent's clock
 * @param imageBytes length of the image
 * @param chunkCount how many pointers it has
 * @param params how the image was cut
 * @param contentDigest see {@link ContentDigest}
 */
public record SnapshotInfo(
        long id,
        SnapshotName name,
        Instant received,
        long imageBytes,
        long chunkCount,
        ChunkingParams params,
        Fingerprint contentDigest) {

    /** Length in messages. */
    public int encodedBytes() {
        return 4 * Long.BYTES + ChunkingParams.ENCODED_BYTES + Fingerprint.BYTES + Texts.encodedBytes(name.value());
    }

    /** Writes {@link #encodedBytes} bytes at the position of {@code target}, which must be big-endian. */
    public void write(ByteBuffer target) {
        target.putLong(id).putLong(received.toEpochMilli()).putLong(imageBytes).putLong(chunkCount);
        params.write(target);
        contentDigest.write(target);
        Texts.write(name.value(), target);
    }

    /** Reads one. */
    public static SnapshotInfo read(BodyReader in) throws DamagedDataException {
        long id = in.u63("snapshot id");
        Instant received = Instant.ofEpochMilli(in.u63("receive time"));
        long imageBytes = in.u63("image length");
        long chunkCount = in.u63("chunk count");
        ChunkingParams params = in.params();
        Fingerprint digest = in.fingerprint("content digest");
        return new SnapshotInfo(id, name(in), received, imageBytes, chunkCount, params, digest);
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
