// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import io.shredder.backup.protocol.KeyId;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.generators.HKDFBytesGenerator;
import org.bouncycastle.crypto.params.HKDFParameters;

/**
 * The one secret of a repository: 256 random bits. Every other key is derived from it by HKDF-SHA-256 (RFC 5869), each for one purpose. Whoever
 * has it can read every backup made with it; without it nobody can. Immutable.
 */
public final class RepositoryKey {

    /** Length of the secret. */
    public static final int BYTES = 32;

    private static final String PURPOSE_PREFIX = "shredder backup 2 ";

    private final byte[] secret;
    private final KeyId id;

    private RepositoryKey(byte[] secret) {
        this.secret = secret;
        this.id = KeyId.of(derive("key id", KeyId.BYTES));
    }

    /** A new key. */
    public static RepositoryKey generate(SecureRandom random) {
        byte[] secret = new byte[BYTES];
        random.nextBytes(secret);
        return new RepositoryKey(secret);
    }

    /** The key with this secret, which is copied. */
    static RepositoryKey of(byte[] secret) {
        if (secret.length != BYTES) {
            throw new IllegalArgumentException("a repository key has " + BYTES + " bytes, not " + secret.length);
        }
        return new RepositoryKey(secret.clone());
    }

    /** Its public name. */
    public KeyId id() {
        return id;
    }

    /** A copy of the secret, for whoever wraps or prints it. */
    byte[] secret() {
        return secret.clone();
    }

    /** A key for one purpose; different purposes' keys say nothing about each other. */
    byte[] derive(String purpose, int bytes) {
        return hkdf(secret, new byte[0], PURPOSE_PREFIX + purpose, bytes);
    }

    static byte[] hkdf(byte[] secret, byte[] salt, String info, int bytes) {
        HKDFBytesGenerator generator = new HKDFBytesGenerator(new SHA256Digest());
        generator.init(new HKDFParameters(secret, salt, info.getBytes(StandardCharsets.US_ASCII)));
        byte[] derived = new byte[bytes];
        generator.generateBytes(derived, 0, bytes);
        return derived;
    }

    /** The secret never gets into a log. */
    @Override
    public String toString() {
        return "key " + id;
    }
}
