// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.protocol;

import java.util.Optional;

/** How the stored bytes of a chunk came from its plain bytes. Codes 2 to 15 are reserved for encrypted forms. */
public enum ChunkCodec {
    /** The plain bytes themselves. */
    RAW(0),
    /** One zstd frame, shorter than the plain bytes. */
    ZSTD(1);

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
