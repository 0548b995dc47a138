// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The ordered chunks of a file, with the parameters that cut them: {@code docs/formats/manifest.md}. Immutable.
 */
public final class Manifest {

    /** The record format of chunks whose cuts were not moved to record ends. */
    public static final String RAW = "";

    /** The file id of a manifest that belongs to no particular inode. */
    public static final long UNBOUND = 0;

    private final ChunkingParams params;
    private final String recordFormat;
    private final long fileId;
    private final long length;
    private final List<Chunk> chunks;

    private Manifest(Builder builder) {
        this.params = builder.params;
        this.recordFormat = builder.recordFormat;
        this.fileId = builder.fileId;
        this.length = builder.length;
        this.chunks = Collections.unmodifiableList(builder.chunks);
    }

    /** An empty manifest to add chunks to. */
    public static Builder builder(ChunkingParams params) {
        return new Builder(params);
    }

    /** How the file was cut. */
    public ChunkingParams params() {
        return params;
    }

    /** Which records the cuts were moved to; {@link #RAW} if they were not. */
    public String recordFormat() {
        return recordFormat;
    }

    /** The HDFS inode id of the file, or {@link #UNBOUND}. */
    public long fileId() {
        return fileId;
    }

    /** The length of the file in bytes: what the chunks' lengths add up to. */
    public long length() {
        return length;
    }

    /** The chunks in the file's order; unmodifiable. */
    public List<Chunk> chunks() {
        return chunks;
    }

    /** The lengths of the segments in bytes, in order. The file's end ends a segment. */
    public List<Long> segmentLengths() {
        List<Long> lengths = new ArrayList<>();
        long start = 0;
        for (Chunk chunk : chunks) {
            if (chunk.segmentEnd() || chunk.end() == length) {
                lengths.add(chunk.end() - start);
                start = chunk.end();
            }
        }
        return lengths;
    }

    /** The same chunks, bound to the file with this inode id. */
    public Manifest withFileId(long newFileId) {
        Builder copy = builder(params).recordFormat(recordFormat).fileId(newFileId);
        chunks.forEach(copy::add);
        return copy.build();
    }

    /** Collects chunks in order. Not safe for use by several threads; of no use after {@link #build}. */
    public static final class Builder {

        private final ChunkingParams params;
        private final List<Chunk> chunks = new ArrayList<>();
        private String recordFormat = RAW;
        private long fileId = UNBOUND;
        private long length;

        private Builder(ChunkingParams params) {
            this.params = params;
        }

        /** Says which records the cuts were moved to. */
        public Builder recordFormat(String format) {
            recordFormat = format;
            return this;
        }

        /** Binds the manifest to an inode. */
        public Builder fileId(long id) {
            fileId = id;
            return this;
        }

        /**
         * Adds the next chunk.
         *
         * @throws IllegalArgumentException if it does not start where the last one ended
         */
        public Builder add(Chunk chunk) {
            if (chunk.offset() != length) {
                throw new IllegalArgumentException(
                        "chunk at " + chunk.offset() + " does not follow the one that ends at " + length
                                + ": chunks must be added in order, without gaps");
            }
            chunks.add(chunk);
            length = chunk.end();
            return this;
        }

        /** The number of bytes that the chunks added so far cover. */
        public long length() {
            return length;
        }

        /** The finished manifest. */
        public Manifest build() {
            return new Manifest(this);
        }
    }
}
