// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA-256 (RFC 2104) under one key. One thread at a time. */
final class KeyedHash {

    private static final String ALGORITHM = "HmacSHA256";

    private final Mac mac;

    KeyedHash(byte[] key) {
        try {
            mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }

    /** 32 bytes that nobody can tell from random ones without the key. */
    byte[] of(byte[] message) {
        return mac.doFinal(message);
    }
}
