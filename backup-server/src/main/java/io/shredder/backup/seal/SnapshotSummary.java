// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Optional;

/**
 * What a snapshot says of itself under its seal, so that an agent can neither change it nor pass part of a list off as
 * the whole, nor one snapshot off as another.
 *
 * @param imageBytes length of the image
 * @param chunkCount how many pointers its list has
 * @param taken when the backup began, by the client's clock, to milliseconds
 * @param params how the image was cut
 * @param place where it was committed; absent in what versions before 0.2 sealed
 * @param remarks what its owner wrote on it and what went wrong when the image was read
 */
public record SnapshotSummary(
        long imageBytes,
        long chunkCount,
        Instant taken,
        ChunkingParams params,
        Optional<SnapshotPlace> place,
        Remarks remarks) {

    private static final int BYTES = 3 * Long.BYTES + ChunkingParams.ENCODED_BYTES;

    /** The same in another place: a copy of it. */
    public SnapshotSummary at(SnapshotPlace other) {
        return new SnapshotSummary(imageBytes, chunkCount, taken, params, Optional.of(other), remarks);
    }

    byte[] encode() {
        byte[] encodedRemarks = remarks.encode();
        int placeBytes = place.isPresent() ? SnapshotPlace.BYTES : 0;
        ByteBuffer bytes = ByteBuffer.allocate(BYTES + placeBytes + encodedRemarks.length);
        bytes.putLong(imageBytes).putLong(chunkCount).putLong(taken.toEpochMilli());
        params.write(bytes);
        place.ifPresent(here -> here.write(bytes));
        bytes.put(encodedRemarks);
        return bytes.array();
    }

    /** Reads one that was sealed without a place. */
    static SnapshotSummary readUnplaced(byte[] bytes, String source) throws DamagedDataException {
        return read(bytes, source, false);
    }

    /** Reads one that was sealed with its place. */
    static SnapshotSummary readPlaced(byte[] bytes, String source) throws DamagedDataException {
        return read(bytes, source, true);
    }

    private static SnapshotSummary read(byte[] bytes, String source, boolean placed) throws DamagedDataException {
        BodyReader in = new BodyReader(ByteBuffer.wrap(bytes), source, 0);
        long imageBytes = in.u63("image length");
        long chunkCount = in.u63("chunk count");
        Instant taken = Instant.ofEpochMilli(in.u63("time of the backup"));
        ChunkingParams params = in.params();
        Optional<SnapshotPlace> place = placed ? Optional.of(SnapshotPlace.read(in)) : Optional.empty();
        return new SnapshotSummary(imageBytes, chunkCount, taken, params, place, Remarks.read(in));
    }
}
