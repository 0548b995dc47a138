// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import io.shredder.backup.protocol.BodyReader;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;
import java.time.Instant;

/**
 * What a snapshot says of itself under its seal, so that an agent can neither change it nor pass part of a list off as the whole.
 *
 * @param imageBytes length of the image
 * @param chunkCount how many pointers its list has
 * @param taken when the backup began, by the client's clock, to milliseconds
 * @param params how the image was cut
 * @param remarks what its owner wrote on it and what went wrong when the image was read
 */
public record SnapshotSummary(long imageBytes, long chunkCount, Instant taken, ChunkingParams params, Remarks remarks) {

    private static final int BYTES = 3 * Long.BYTES + ChunkingParams.ENCODED_BYTES;

    byte[] encode() {
        byte[] encodedRemarks = remarks.encode();
        ByteBuffer bytes = ByteBuffer.allocate(BYTES + encodedRemarks.length);
        bytes.putLong(imageBytes).putLong(chunkCount).putLong(taken.toEpochMilli());
        params.write(bytes);
        bytes.put(encodedRemarks);
        return bytes.array();
    }

    static SnapshotSummary read(byte[] bytes, String source) throws DamagedDataException {
        BodyReader in = new BodyReader(ByteBuffer.wrap(bytes), source, 0);
        long imageBytes = in.u63("image length");
        long chunkCount = in.u63("chunk count");
        Instant taken = Instant.ofEpochMilli(in.u63("time of the backup"));
        ChunkingParams params = in.params();
        Remarks remarks = Remarks.read(in);
        return new SnapshotSummary(imageBytes, chunkCount, taken, params, remarks);
    }
}
