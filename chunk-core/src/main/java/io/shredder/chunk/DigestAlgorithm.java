// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** How a chunk's fingerprint is computed, with the code that formats store. */
public enum DigestAlgorithm {
    /** SHA-256, the default. */
    SHA_256(1, "sha256", "SHA-256"),
    /** BLAKE3 with 32 bytes of output. */
    BLAKE3(2, "blake3", "BLAKE3");

    private final int code;
    private final String optionName;
    private final String standardName;

    DigestAlgorithm(int code, String optionName, String standardName) {
        this.code = code;
        this.optionName = optionName;
        this.standardName = standardName;
    }

    /** The byte that stands for this algorithm in parameter blocks. */
    public int code() {
        return code;
    }

    /** The name that options use: {@code sha256} or {@code blake3}. */
    public String optionName() {
        return optionName;
    }

    /** The algorithm with this code, if there is one. */
    public static Optional<DigestAlgorithm> fromCode(int code) {
        return Arrays.stream(values())
                .filter(algorithm -> algorithm.code == code)
                .findFirst();
    }

    /**
     * The algorithm of that {@link #optionName}.
     *
     * @throws InvalidParamsException if there is none
     */
    public static DigestAlgorithm parse(String name) {
        return Arrays.stream(values())
                .filter(algorithm -> algorithm.optionName.equals(name))
                .findFirst()
                .orElseThrow(() -> new InvalidParamsException(
                        List.of("unknown digest '" + name + "': use one of " + optionNames()),
                        ParamProblems.DIGEST_AT));
    }

    private static String optionNames() {
        return Arrays.stream(values()).map(DigestAlgorithm::optionName).collect(Collectors.joining(", "));
    }

    /** A fresh, empty digest, for one thread at a time. */
    public MessageDigest newMessageDigest() {
        return this == BLAKE3 ? new Blake3() : sha256();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance(SHA_256.standardName);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime must have SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return standardName;
    }
}
