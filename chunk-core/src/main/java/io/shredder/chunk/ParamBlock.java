// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk;

import static io.shredder.chunk.ParamProblems.DIGEST_AT;
import static io.shredder.chunk.ParamProblems.MARKER_AT;
import static io.shredder.chunk.ParamProblems.MASK_BITS_AT;
import static io.shredder.chunk.ParamProblems.MAX_AT;
import static io.shredder.chunk.ParamProblems.MIN_AT;
import static io.shredder.chunk.ParamProblems.POLYNOMIAL_AT;
import static io.shredder.chunk.ParamProblems.RESERVED_AT;
import static io.shredder.chunk.ParamProblems.SEGMENT_MASK_BITS_AT;
import static io.shredder.chunk.ParamProblems.SEGMENT_MAX_AT;
import static io.shredder.chunk.ParamProblems.SEGMENT_MIN_AT;
import static io.shredder.chunk.ParamProblems.WINDOW_AT;

import java.nio.ByteBuffer;

/** Reads one parameter block ({@code docs/formats/chunking.md}, section 7) and says where it breaks a rule. */
final class ParamBlock {

    private final ByteBuffer block;
    private final String name;
    private final long offset;

    /** Takes the next {@link ChunkingParams#ENCODED_BYTES} bytes of {@code source}, which must have them. */
    ParamBlock(ByteBuffer source, String name, long offset) {
        this.block = source.slice(source.position(), ChunkingParams.ENCODED_BYTES);
        this.name = name;
        this.offset = offset;
        source.position(source.position() + ChunkingParams.ENCODED_BYTES);
    }

    ChunkingParams read() throws DamagedDataException {
        if (block.getShort(WINDOW_AT) != ChunkingParams.WINDOW_BYTES) {
            throw damaged(
                    WINDOW_AT, "window of " + block.getShort(WINDOW_AT) + " bytes, not " + ChunkingParams.WINDOW_BYTES);
        }
        if (block.get(RESERVED_AT) != 0 || block.get(RESERVED_AT + 1) != 0 || block.get(RESERVED_AT + 2) != 0) {
            throw damaged(RESERVED_AT, "reserved bytes are not zero");
        }
        DigestAlgorithm digest = DigestAlgorithm.fromCode(block.get(DIGEST_AT))
                .orElseThrow(() -> damaged(DIGEST_AT, "unknown digest algorithm " + block.get(DIGEST_AT)));
        try {
            return new ChunkingParams(
                    polynomial(),
                    block.get(MASK_BITS_AT),
                    block.getLong(MARKER_AT),
                    length(MIN_AT, "minimum"),
                    length(MAX_AT, "maximum"),
                    block.get(SEGMENT_MASK_BITS_AT),
                    block.getLong(SEGMENT_MIN_AT),
                    block.getLong(SEGMENT_MAX_AT),
                    digest);
        } catch (InvalidParamsException e) {
            throw damaged(e.fieldAt(), String.valueOf(e.getMessage()));
        }
    }

    private Polynomial polynomial() throws DamagedDataException {
        try {
            return new Polynomial(block.getLong(POLYNOMIAL_AT));
        } catch (IllegalArgumentException e) {
            throw damaged(POLYNOMIAL_AT, String.valueOf(e.getMessage()));
        }
    }

    private int length(int at, String name) throws DamagedDataException {
        long bytes = block.getLong(at);
        if (bytes < 1 || bytes > ChunkingParams.MAX_CHUNK_BYTES) {
            throw damaged(at, name + " " + bytes + " is not from 1 to " + ChunkingParams.MAX_CHUNK_BYTES);
        }
        return (int) bytes;
    }

    private DamagedDataException damaged(int at, String problem) {
        return new DamagedDataException(name, offset + at, problem);
    }
}
