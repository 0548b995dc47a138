// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * Consecutive chunks of one stream with their bytes, which lie in the engine's ring buffer: valid until the batch is
 * released, which {@link Shredder#chunk} does when the sink returns. For one thread at a time.
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
        if (!digests) {
            throw new IllegalStateException("the stream was opened without digests");
        }
        return Fingerprint.read(records.slice(record(i) + DIGEST_AT, Fingerprint.BYTES));
    }

    /** The bytes of chunk {@code i}, read-only and contiguous. A view: copy what must outlive the batch. */
    public ByteBuffer data(int i) {
        return data.slice(Math.toIntExact(offset(i) - offset(0)), length(i));
    }

    /** Chunk {@code i} as a value that outlives the batch. */
    public Chunk chunk(int i) {
        return new Chunk(offset(i), length(i), fingerprint(i), segmentEnd(i));
    }

    void markReleased() {
        released = true;
    }

    private int record(int i) {
        if (released) {
            throw new IllegalStateException("the batch is released");
        }
        return Objects.checkIndex(i, count) * RECORD_BYTES;
    }
}
