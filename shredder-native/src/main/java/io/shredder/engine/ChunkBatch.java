// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * Consecutive chunks of one stream with their bytes, which lie in the engine's memory: valid until the batch is
 * released, which {@link Shredder#chunk} does when the sink returns. From then on the batch refuses calls; a view of
 * its bytes that was kept can be read, also after the engine is closed, but shows other chunks' bytes, or zeros. Memory
 * is given back to the system as if no view were kept; only its addresses stay until none is left. For one thread at a
 * time.
 *
 * <p>A batch is one call into the engine however many chunks it has. {@link #offset}, {@link #length},
 * {@link #segmentEnd}, {@link #dataOffset} and {@link #copyFingerprint} read the engine's records in place and make no
 * object; {@link #chunk}, {@link #fingerprint} and {@link #data(int)} make values and views.
 */
public final class ChunkBatch {

    // struct shredder_record in shredder.h, native byte order:
    //   0       8        12      16                48
    //   | offset | length | flags | digest          |
    private static final int RECORD_BYTES = 48;
    private static final int LENGTH_AT = 8;
    private static final int FLAGS_AT = 12;
    private static final int DIGEST_AT = 16;
    private static final int SEGMENT_END = 1;

    private final ByteBuffer data;
    private final ByteBuffer records;
    private final boolean digests;
    private final int count;
    private boolean released;

    ChunkBatch(ByteBuffer data, ByteBuffer records, boolean digests) {
        this.data = data.asReadOnlyBuffer();
        this.records = records.order(ByteOrder.nativeOrder());
        this.digests = digests;
        this.count = records.capacity() / RECORD_BYTES;
    }

    /** At least 1. */
    public int count() {
        return count;
    }

    /** Of chunk {@code i}'s first byte in the stream. */
    public long offset(int i) {
        return records.getLong(record(i));
    }

    /** Of chunk {@code i}, in bytes. */
    public int length(int i) {
        return records.getInt(record(i) + LENGTH_AT);
    }

    /** Whether a segment ends with chunk {@code i}. */
    public boolean segmentEnd(int i) {
        return (records.getInt(record(i) + FLAGS_AT) & SEGMENT_END) != 0;
    }

    /**
     * The digest of chunk {@code i}.
     *
     * @throws IllegalStateException if the stream was opened without digests
     */
    public Fingerprint fingerprint(int i) {
        return Fingerprint.read(records.slice(digest(i), Fingerprint.BYTES));
    }

    /**
     * Copies the digest of chunk {@code i} to {@code target[at]} and on, without making an object.
     *
     * @throws IllegalStateException if the stream was opened without digests
     */
    public void copyFingerprint(int i, byte[] target, int at) {
        records.get(digest(i), target, at, Fingerprint.BYTES);
    }

    /**
     * Puts the digest of chunk {@code i} at the position of {@code target} and advances it, without making an object.
     *
     * @throws IllegalStateException if the stream was opened without digests
     */
    public void copyFingerprint(int i, ByteBuffer target) {
        int from = digest(i);
        int to = target.position();
        target.position(to + Fingerprint.BYTES);
        for (int word = 0; word < Fingerprint.BYTES; word += Long.BYTES) {
            long bytes = records.getLong(from + word);
            target.putLong(to + word, target.order() == records.order() ? bytes : Long.reverseBytes(bytes));
        }
    }

    /** The bytes of chunk {@code i}, read-only and contiguous. A view: copy what must outlive the batch. */
    public ByteBuffer data(int i) {
        return data.slice(dataOffset(i), length(i));
    }

    /**
     * The bytes of all chunks, back to back, read-only: chunk {@code i}'s from {@link #dataOffset}. A view of its own
     * position, for whoever goes through many small chunks without an object for each.
     */
    public ByteBuffer data() {
        record(0);
        return data.duplicate();
    }

    /** Where in {@link #data()} the first byte of chunk {@code i} is. */
    public int dataOffset(int i) {
        return Math.toIntExact(offset(i) - offset(0));
    }

    /** Chunk {@code i} as a value that outlives the batch. */
    public Chunk chunk(int i) {
        return new Chunk(offset(i), length(i), fingerprint(i), segmentEnd(i));
    }

    void markReleased() {
        released = true;
    }

    private int digest(int i) {
        if (!digests) {
            throw new IllegalStateException("the stream was opened without digests");
        }
        return record(i) + DIGEST_AT;
    }

    private int record(int i) {
        if (released) {
            throw new IllegalStateException("the batch is released");
        }
        return Objects.checkIndex(i, count) * RECORD_BYTES;
    }
}
