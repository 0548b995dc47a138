// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.keys;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HKDF-SHA-256 (RFC 5869), by the platform's HMAC. Safe for any number of threads. */
public final class Hkdf {

    /** The longest key that {@link #derive} gives: one block of the RFC's second step. */
    public static final int MAX_BYTES = 32;

    private static final String HMAC = "HmacSHA256";

    private Hkdf() {}

    /**
     * A key of its own for each salt and info.
     *
     * @param salt empty for none
     * @param length 1 to {@link #MAX_BYTES}
     */
    public static byte[] derive(byte[] secret, byte[] salt, byte[] info, int length) {
        if (length < 1 || length > MAX_BYTES) {
            throw new IllegalArgumentException("a derived key has 1 to " + MAX_BYTES + " bytes, not " + length);
        }
        byte[] extracted = hmac(salt.length == 0 ? new byte[MAX_BYTES] : salt, secret);
        byte[] block =
                ByteBuffer.allocate(info.length + 1).put(info).put((byte) 1).array();
        byte[] derived = new byte[length];
        System.arraycopy(hmac(extracted, block), 0, derived, 0, length);
        return derived;
    }

    private static byte[] hmac(byte[] key, byte[] data) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            return mac.doFinal(data);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + HMAC, e);
        }
    }
}
