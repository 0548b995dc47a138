// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.input;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * Which of a job's input formats reads a file, and which of its mappers maps it, if it has several (Hadoop's
 * MultipleInputs).
 *
 * @param inputFormat name of the class
 * @param mapper name of the class
 */
public record InputTag(String inputFormat, String mapper) {

    /** Of a job that has one input format and one mapper. */
    public static final InputTag NONE = new InputTag("", "");

    private static final byte[] TAGGED = "SHRDTAGD".getBytes(StandardCharsets.US_ASCII);
    private static final String BETWEEN = ";";

    /** Whether the job has one input format and one mapper. */
    public boolean isNone() {
        return equals(NONE);
    }

    /** The tag as text; class names hold no semicolon. */
    String text() {
        return inputFormat + BETWEEN + mapper;
    }

    static InputTag of(String text) {
        int middle = text.indexOf(BETWEEN);
        return middle < 0 ? NONE : new InputTag(text.substring(0, middle), text.substring(middle + 1));
    }

    /** The memo store's key of a chunk whose bytes have this fingerprint: {@code docs/formats/memo.md}, "Entry". */
    Fingerprint tagged(Fingerprint bytes) {
        if (isNone()) {
            return bytes;
        }
        MessageDigest digest = DigestAlgorithm.SHA_256.newMessageDigest();
        digest.update(TAGGED);
        digest.update(DigestAlgorithm.SHA_256.newMessageDigest().digest(text().getBytes(StandardCharsets.UTF_8)));
        digest.update(bytes.toBytes());
        return Fingerprint.of(digest.digest());
    }
}
