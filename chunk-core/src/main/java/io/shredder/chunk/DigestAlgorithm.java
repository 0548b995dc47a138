// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;

/** How a chunk's fingerprint is computed, with the code that formats store. */
public enum DigestAlgorithm {
    /** SHA-256, the default. */
    SHA_256(1, "SHA-256"),
    /** BLAKE3 with 32 bytes of output: reserved in the formats, not yet computed by any backend. */
    BLAKE3(2, "BLAKE3");

    private final int code;
    private final String standardName;

    DigestAlgorithm(int code, String standardName) {
        this.code = code;
        this.standardName = standardName;
    }

    /** The byte that stands for this algorithm in parameter blocks. */
    public int code() {
        return code;
    }

    /** The algorithm with this code, if there is one. */
    public static Optional<DigestAlgorithm> fromCode(int code) {
        for (DigestAlgorithm algorithm : values()) {
            if (algorithm.code == code) {
                return Optional.of(algorithm);
            }
        }
        return Optional.empty();
    }

    /**
     * A fresh, empty digest.
     *
     * @throws IllegalStateException if this runtime has no provider for the algorithm
     */
    public MessageDigest newMessageDigest() {
        try {
            return MessageDigest.getInstance(standardName);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime can't compute " + standardName, e);
        }
    }

    @Override
    public String toString() {
        return standardName;
    }
}
