// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.hdfs.records.RecordAligner;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;

/** Takes what a {@link RecordAligner} makes of a part of a file. For one thread. */
final class RangeCollector implements RecordAligner.Sink {

    private final MessageDigest digest;
    private final long start;
    private final long end;
    private final List<RangeChunks.Piece> pieces = new ArrayList<>();
    private final List<Long> cuts = new ArrayList<>();
    private long length;
    private long firstEnd;
    private boolean begun;
    private boolean done;

    /**
     * Nothing is there yet.
     *
     * @param end the first cut from there on ends the last chunk
     */
    RangeCollector(DigestAlgorithm algorithm, long start, long end) {
        this.digest = algorithm.newMessageDigest();
        this.start = start;
        this.end = end;
        this.begun = start == 0;
        if (start > 0) {
            cuts.add(start);
        }
    }

    long start() {
        return start;
    }

    /** A cut follows what was given to the aligner so far. */
    void cut(long at) {
        cuts.add(at);
    }

    /** Whether the last chunk is there; what comes then is left out. */
    boolean isDone() {
        return done;
    }

    @Override
    public void data(ByteBuffer piece) {
        if (!done) {
            length += piece.remaining();
            digest.update(piece);
        }
    }

    @Override
    public void endChunk(boolean segmentEnd) {
        if (done) {
            return;
        }
        if (begun) {
            Fingerprint fingerprint = Fingerprint.of(digest.digest());
            pieces.add(new RangeChunks.Piece(Math.toIntExact(length), fingerprint, cuts));
        } else {
            digest.reset();
            firstEnd = start + length;
            begun = true;
        }
        done = !cuts.isEmpty() && cuts.get(cuts.size() - 1) >= end;
        cuts.clear();
        length = 0;
    }

    /** What has come. */
    RangeChunks chunks() {
        // Where no record ends any more behind the start, the rest of the file belongs to the chunk before.
        return new RangeChunks(start, begun ? firstEnd : start + length, pieces);
    }
}
