// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk;

import java.nio.ByteBuffer;

/** Reads one parameter block ({@code docs/formats/chunking.md}, section 7) and says where it breaks a rule. */
final class ParamBlock {

    private static final int WINDOW = 8;
    private static final int DIGEST = 12;
    private static final int RESERVED = 13;
    private static final int MIN = 24;
    private static final int MAX = 32;

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
        if (block.getShort(WINDOW) != ChunkingParams.WINDOW_BYTES) {
            throw damaged(WINDOW, "window of " + block.getShort(WINDOW) + " bytes, not " + ChunkingParams.WINDOW_BYTES);
        }
        if (block.get(RESERVED) != 0 || block.get(RESERVED + 1) != 0 || block.get(RESERVED + 2) != 0) {
            throw damaged(RESERVED, "reserved bytes are not zero");
        }
        DigestAlgorithm digest = DigestAlgorithm.fromCode(block.get(DIGEST))
                .orElseThrow(() -> damaged(DIGEST, "unknown digest algorithm " + block.get(DIGEST)));
        try {
            return new ChunkingParams(
                    polynomial(),
                    block.get(10),
                    block.getLong(16),
                    length(MIN),
                    length(MAX),
                    block.get(11),
                    block.getLong(40),
                    block.getLong(48),
                    digest);
        } catch (InvalidParamsException e) {
            throw damaged(0, "chunking parameters: " + e.getMessage());
        }
    }

    private Polynomial polynomial() throws DamagedDataException {
        try {
            return new Polynomial(block.getLong(0));
        } catch (IllegalArgumentException e) {
            throw damaged(0, String.valueOf(e.getMessage()));
        }
    }

    private int length(int at) throws DamagedDataException {
        long bytes = block.getLong(at);
        if (bytes < 1 || bytes > ChunkingParams.MAX_CHUNK_BYTES) {
            throw damaged(at, "chunk length limit " + bytes + " is not from 1 to " + ChunkingParams.MAX_CHUNK_BYTES);
        }
        return (int) bytes;
    }

    private DamagedDataException damaged(int at, String problem) {
        return new DamagedDataException(name, offset + at, problem);
    }
}
