// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.records;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Moves each cut forward to the end of the record that it falls in: {@code docs/formats/chunking.md}, section 6. Takes
 * a stream's chunks in order, gives its record-aligned chunks, copies no bytes. One instance serves one stream.
 */
public final class RecordAligner {

    /** Takes the bytes of record-aligned chunks, piece by piece, and their ends. */
    public interface Sink {

        /** Some bytes of the present chunk, at least one; valid only during the call. */
        void data(ByteBuffer piece) throws IOException;

        /** The present chunk, which has at least one byte, is complete. */
        void endChunk(boolean segmentEnd) throws IOException;
    }

    private final RecordBoundaries boundaries;
    private final Sink sink;
    private boolean empty = true;
    private boolean cutPending;
    private boolean segmentPending;

    /** @param boundaries of a stream not begun yet */
    public RecordAligner(RecordBoundaries boundaries, Sink sink) {
        this.boundaries = boundaries;
        this.sink = sink;
    }

    /**
     * Takes the stream's next chunk.
     *
     * @param chunk its bytes; all are consumed
     * @param segmentEnd whether its cut ends a segment
     */
    public void accept(ByteBuffer chunk, boolean segmentEnd) throws IOException {
        if (cutPending) {
            finishPending(chunk);
        }
        if (chunk.hasRemaining()) {
            pass(chunk.slice());
            boundaries.skip(chunk);
        }
        cutPending = true;
        segmentPending |= segmentEnd;
    }

    /** Gives the bytes up to the next record end to the present chunk, and ends it if there is one. */
    private void finishPending(ByteBuffer chunk) throws IOException {
        ByteBuffer before = chunk.slice();
        int start = chunk.position();
        boolean found = boundaries.findEnd(chunk);
        pass(before.limit(chunk.position() - start));
        if (found) {
            endChunk(segmentPending);
        }
    }

    /**
     * Ends the stream, and with it its last chunk and segment, if it has any bytes.
     *
     * @throws IOException if it ends in the middle of the format's structure
     */
    public void finish() throws IOException {
        boundaries.finish();
        if (!empty) {
            endChunk(true);
        }
    }

    private void pass(ByteBuffer piece) throws IOException {
        if (piece.hasRemaining()) {
            empty = false;
            sink.data(piece);
        }
    }

    private void endChunk(boolean segmentEnd) throws IOException {
        sink.endChunk(segmentEnd);
        empty = true;
        cutPending = false;
        segmentPending = false;
    }
}
