// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret that all keys of an index are derived from, by HKDF-SHA-256 (RFC 5869): one key for each file, from a random salt in the
 * file, what the file is for, the repository and the file's number. So no two files ever share a key, and no nonce repeats.
 */
public final class IndexKey {

    /** Length of the secret. */
    public static final int BYTES = 32;

    /** Length of a file's salt. */
    static final int SALT_BYTES = 32;

    /** Length of {@link #id}. */
    static final int ID_BYTES = 16;

    private static final String MAC = "HmacSHA256";
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
        return hkdf(secret, salt, info.array(), length);
    }

    /** RFC 5869 for up to 32 bytes, so that one block of its second step is enough. */
    static byte[] hkdf(byte[] secret, byte[] salt, byte[] info, int length) {
        byte[] block =
                ByteBuffer.allocate(info.length + 1).put(info).put((byte) 1).array();
        byte[] derived = new byte[length];
        System.arraycopy(hmac(hmac(salt, secret), block), 0, derived, 0, length);
        return derived;
    }

    private static byte[] hmac(byte[] key, byte[] data) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(new SecretKeySpec(key, MAC));
            return mac.doFinal(data);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + MAC, e);
        }
    }
}
