// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.backup.keys.Hkdf;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.UUID;

/**
 * The secret that all keys of an index are derived from, by HKDF-SHA-256 (RFC 5869): one key for each file, from a
 * random salt in the file, what the file is for, the repository and the file's number. So no two files ever share a
 * key, and no nonce repeats.
 */
public final class IndexKey {

    /** Length of the secret. */
    public static final int BYTES = 32;

    /** Length of a file's salt. */
    static final int SALT_BYTES = 32;

    /** Length of {@link #id}. */
    static final int ID_BYTES = 16;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final byte[] secret;

    private IndexKey(byte[] secret) {
        this.secret = secret;
    }

    /** A new secret from the system's source of randomness. */
    public static IndexKey random() {
        return new IndexKey(randomBytes(BYTES));
    }

    /**
     * The key with this secret.
     *
     * @throws IllegalArgumentException if it has not {@link #BYTES} bytes
     */
    public static IndexKey of(byte[] secret) {
        if (secret.length != BYTES) {
            throw new IllegalArgumentException("an index key has " + BYTES + " bytes, not " + secret.length);
        }
        return new IndexKey(secret.clone());
    }

    static byte[] newSalt() {
        return randomBytes(SALT_BYTES);
    }

    private static byte[] randomBytes(int length) {
        byte[] bytes = new byte[length];
        RANDOM.nextBytes(bytes);
        return bytes;
    }

    byte[] secret() {
        return secret.clone();
    }

    /** Tells keys apart without giving them away; it stands in the manifest. */
    byte[] id(UUID repository) {
        return derive(new byte[SALT_BYTES], "id", repository, 0, ID_BYTES);
    }

    /**
     * The key of one file.
     *
     * @param purpose "log", "run" or "manifest"
     */
    byte[] fileKey(byte[] salt, String purpose, UUID repository, int number) {
        return derive(salt, purpose, repository, number, BYTES);
    }

    private byte[] derive(byte[] salt, String purpose, UUID repository, int number, int length) {
        byte[] label = ("shredder index " + purpose).getBytes(StandardCharsets.US_ASCII);
        ByteBuffer info = ByteBuffer.allocate(label.length + 1 + 2 * Long.BYTES + Integer.BYTES)
                .put(label)
                .put((byte) 0)
                .putLong(repository.getMostSignificantBits())
                .putLong(repository.getLeastSignificantBits())
                .putInt(number);
        return Hkdf.derive(secret, salt, info.array(), length);
    }
}
