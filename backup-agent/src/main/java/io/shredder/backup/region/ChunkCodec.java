// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.region;

import java.util.Optional;

/**
 * How the stored bytes of a region came from the plain bytes of its chunks. Codes 0 and 1 were the readable forms of
 * version 1: refused.
 */
public enum ChunkCodec {
    /** Compressed where that helps, then sealed by AES-256-GCM: {@code docs/formats/seal.md}. */
    SEALED(2),
    /**
     * Several chunks compressed together, where that helps, and sealed together; what the first is, every head says,
     * and a table the others.
     */
    SEALED_TOGETHER(3);

    private final int code;

    ChunkCodec(int code) {
        this.code = code;
    }

    /** The byte that stands for this codec. */
    public int code() {
        return code;
    }

    /** The codec with this code, if there is one. */
    public static Optional<ChunkCodec> fromCode(int code) {
        for (ChunkCodec codec : values()) {
            if (codec.code == code) {
                return Optional.of(codec);
            }
        }
        return Optional.empty();
    }
}
