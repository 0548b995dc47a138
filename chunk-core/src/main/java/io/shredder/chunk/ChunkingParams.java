// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk;

import static io.shredder.chunk.ParamProblems.MARKER_AT;
import static io.shredder.chunk.ParamProblems.MASK_BITS_AT;
import static io.shredder.chunk.ParamProblems.MAX_AT;
import static io.shredder.chunk.ParamProblems.MIN_AT;
import static io.shredder.chunk.ParamProblems.SEGMENT_MASK_BITS_AT;
import static io.shredder.chunk.ParamProblems.SEGMENT_MAX_AT;
import static io.shredder.chunk.ParamProblems.SEGMENT_MIN_AT;

import java.nio.ByteBuffer;

/**
 * All that decides where chunks end, validated as a whole: {@code docs/formats/chunking.md}. Lengths are in bytes.
 *
 * @param polynomial modulus of the fingerprints of positions
 * @param maskBits how many low bits of a fingerprint make a candidate: candidates are 2^maskBits apart on average
 * @param marker what those bits must equal
 * @param minBytes the shortest chunk, but for a stream's last
 * @param maxBytes the longest chunk
 * @param segmentMaskBits how many low bits end a segment; 0 for no segments
 * @param segmentMinBytes the shortest segment, but for a stream's last; 0 without segments
 * @param segmentMaxBytes the longest segment; 0 without segments
 * @param digest how fingerprints of chunks are computed
 */
public record ChunkingParams(
        Polynomial polynomial,
        int maskBits,
        long marker,
        int minBytes,
        int maxBytes,
        int segmentMaskBits,
        long segmentMinBytes,
        long segmentMaxBytes,
        DigestAlgorithm digest) {

    /** Length of the sliding window. */
    public static final int WINDOW_BYTES = 48;

    /** Length of the parameter block in {@code docs/formats/chunking.md}, section 7. */
    public static final int ENCODED_BYTES = 56;

    /** No run of one byte value gives candidates at 9 mask bits or more under the default polynomial. */
    public static final long DEFAULT_MARKER = 0x5A17_D3C9_6B45L;

    /** The longest maximum that can be asked for: 1 GiB. */
    public static final int MAX_CHUNK_BYTES = 1 << 30;

    private static final int MIN_MASK_BITS = 4;
    private static final int MAX_MASK_BITS = 30;
    private static final int MAX_SEGMENT_MASK_BITS = 40;

    /**
     * Refuses parameters that break a rule.
     *
     * @throws InvalidParamsException naming every broken rule
     */
    public ChunkingParams {
        ParamProblems problems = new ParamProblems();
        if (maskBits < MIN_MASK_BITS || maskBits > MAX_MASK_BITS) {
            problems.add(
                    MASK_BITS_AT,
                    "average 2^" + maskBits + " is out of range: use 2^" + MIN_MASK_BITS + " (16) to 2^" + MAX_MASK_BITS
                            + " (1 GiB)");
        } else {
            checkChunkLengths(1L << maskBits, minBytes, maxBytes, problems);
            checkMarker(marker, maskBits, problems);
        }
        if (segmentMaskBits != 0) {
            checkSegments(maskBits, maxBytes, segmentMaskBits, segmentMinBytes, segmentMaxBytes, problems);
        } else if (segmentMinBytes != 0 || segmentMaxBytes != 0) {
            problems.add(SEGMENT_MASK_BITS_AT, "segment minimum and maximum need a segment average");
        }
        problems.throwIfAny();
    }

    private static void checkChunkLengths(long average, long min, long max, ParamProblems problems) {
        if (min < 1) {
            problems.add(MIN_AT, "minimum " + min + " is below 1 byte");
        }
        if (min > average) {
            problems.add(MIN_AT, "minimum " + min + " is above the average " + average);
        }
        if (max < average) {
            problems.add(MAX_AT, "maximum " + max + " is below the average " + average);
        }
        if (max > MAX_CHUNK_BYTES) {
            problems.add(MAX_AT, "maximum " + max + " is above " + MAX_CHUNK_BYTES);
        }
    }

    private static void checkMarker(long marker, int maskBits, ParamProblems problems) {
        if (marker >>> Polynomial.DEGREE != 0) {
            problems.add(
                    MARKER_AT,
                    "marker 0x" + Long.toHexString(marker) + " has more than " + Polynomial.DEGREE + " bits");
        }
        if ((marker & ((1L << maskBits) - 1)) == 0) {
            problems.add(
                    MARKER_AT,
                    "marker 0x" + Long.toHexString(marker) + " is 0 in its low " + maskBits
                            + " bits, so runs of zeros would be all candidates");
        }
    }

    private static void checkSegments(
            int maskBits, int max, int segmentMaskBits, long segmentMin, long segmentMax, ParamProblems problems) {
        if (segmentMaskBits <= maskBits || segmentMaskBits > MAX_SEGMENT_MASK_BITS) {
            problems.add(
                    SEGMENT_MASK_BITS_AT,
                    "segment average 2^" + segmentMaskBits + " is out of range: use more than the chunk average 2^"
                            + maskBits + " and at most 2^" + MAX_SEGMENT_MASK_BITS);
            return;
        }
        long average = 1L << segmentMaskBits;
        if (segmentMin < 1 || segmentMin > average) {
            problems.add(
                    SEGMENT_MIN_AT,
                    "segment minimum " + segmentMin + " is not from 1 to the segment average " + average);
        }
        if (segmentMax < average) {
            problems.add(SEGMENT_MAX_AT, "segment maximum " + segmentMax + " is below the segment average " + average);
        }
        if (segmentMin > segmentMax - max) {
            problems.add(
                    SEGMENT_MIN_AT,
                    "segment minimum " + segmentMin + " plus chunk maximum " + max + " is above the segment maximum "
                            + segmentMax);
        }
    }

    /** Average {@code averageBytes}, minimum a quarter and maximum four times of it, no segments. */
    public static ChunkingParams ofAverage(long averageBytes) {
        return builder().averageBytes(averageBytes).build();
    }

    /** A builder with an average of 64 KiB, no segments, and defaults for all else. */
    public static Builder builder() {
        return new Builder();
    }

    /** The mean distance of candidates on random data. */
    public int averageBytes() {
        return 1 << maskBits;
    }

    /** Whether segments are cut too. */
    public boolean hasSegments() {
        return segmentMaskBits != 0;
    }

    /** The same cuts with another digest. */
    public ChunkingParams with(DigestAlgorithm other) {
        return new ChunkingParams(
                polynomial,
                maskBits,
                marker,
                minBytes,
                maxBytes,
                segmentMaskBits,
                segmentMinBytes,
                segmentMaxBytes,
                other);
    }

    /** Writes the parameter block at the position of {@code target}, which must be big-endian, and advances it. */
    public void write(ByteBuffer target) {
        target.putLong(polynomial.bits())
                .putShort((short) WINDOW_BYTES)
                .put((byte) maskBits)
                .put((byte) segmentMaskBits)
                .put((byte) digest.code())
                .put(new byte[3])
                .putLong(marker)
                .putLong(minBytes)
                .putLong(maxBytes)
                .putLong(segmentMinBytes)
                .putLong(segmentMaxBytes);
    }

    /**
     * Reads a parameter block at the position of {@code source}, which must be big-endian, and advances it.
     *
     * @param name what the bytes belong to, for the error
     * @param blockOffset where in it the block starts, for the error
     * @throws DamagedDataException if the block breaks a rule
     */
    public static ChunkingParams read(ByteBuffer source, String name, long blockOffset) throws DamagedDataException {
        if (source.remaining() < ENCODED_BYTES) {
            throw new DamagedDataException(name, blockOffset + source.remaining(), "the parameter block is truncated");
        }
        return new ParamBlock(source, name, blockOffset).read();
    }

    /** Collects parameters; {@link #build} validates them as a whole. */
    public static final class Builder {

        private Polynomial polynomial = Polynomial.DEFAULT;
        private long marker = DEFAULT_MARKER;
        private long averageBytes = 64 << 10;
        private long minBytes = -1;
        private long maxBytes = -1;
        private long segmentAverageBytes;
        private long segmentMinBytes;
        private long segmentMaxBytes;
        private DigestAlgorithm digest = DigestAlgorithm.SHA_256;

        private Builder() {}

        /** Mean distance of candidates: a power of two from 16 to 1 GiB. */
        public Builder averageBytes(long bytes) {
            averageBytes = bytes;
            return this;
        }

        /** Shortest chunk; a quarter of the average unless set. */
        public Builder minBytes(long bytes) {
            minBytes = bytes;
            return this;
        }

        /** Longest chunk; four times the average unless set. */
        public Builder maxBytes(long bytes) {
            maxBytes = bytes;
            return this;
        }

        /** Cuts segments too: mean distance (a power of two), shortest, longest. */
        public Builder segments(long average, long min, long max) {
            segmentAverageBytes = average;
            segmentMinBytes = min;
            segmentMaxBytes = max;
            return this;
        }

        /** Another irreducible polynomial of degree 48. */
        public Builder polynomial(Polynomial value) {
            polynomial = value;
            return this;
        }

        /** Another marker. */
        public Builder marker(long value) {
            marker = value;
            return this;
        }

        /** Another digest for chunks. */
        public Builder digest(DigestAlgorithm value) {
            digest = value;
            return this;
        }

        /**
         * The parameters.
         *
         * @throws InvalidParamsException naming every problem
         */
        public ChunkingParams build() {
            ParamProblems problems = new ParamProblems();
            int maskBits = log2(MASK_BITS_AT, "average", averageBytes, problems);
            int segmentMaskBits = segmentAverageBytes == 0
                    ? 0
                    : log2(SEGMENT_MASK_BITS_AT, "segment average", segmentAverageBytes, problems);
            problems.throwIfAny();
            long min = minBytes < 0 ? Math.max(1, averageBytes / 4) : minBytes;
            long max = maxBytes < 0 ? Math.min(MAX_CHUNK_BYTES, averageBytes * 4) : maxBytes;
            if (averageBytes <= MAX_CHUNK_BYTES && (min != toInt(min) || max != toInt(max))) {
                checkChunkLengths(averageBytes, min, max, problems);
                problems.throwIfAny();
            }
            return new ChunkingParams(
                    polynomial,
                    maskBits,
                    marker,
                    toInt(min),
                    toInt(max),
                    segmentMaskBits,
                    segmentMinBytes,
                    segmentMaxBytes,
                    digest);
        }

        private static int log2(int fieldAt, String name, long value, ParamProblems problems) {
            if (Long.bitCount(value) != 1 || value < 1) {
                problems.add(
                        fieldAt,
                        name + " " + value + " is not a power of two: use one such as "
                                + Long.highestOneBit(Math.max(16, value)));
            }
            return Long.numberOfTrailingZeros(value);
        }

        /** Out of range stays out of range, so that the check names it. */
        private static int toInt(long bytes) {
            return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, bytes));
        }
    }
}
