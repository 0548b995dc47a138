// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import io.shredder.backup.keys.Hkdf;
import io.shredder.backup.snapshot.KeyId;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;

/**
 * The one secret of a repository: 256 random bits. Every other key is derived from it by HKDF-SHA-256 (RFC 5869), each
 * for one purpose. Whoever has it can read every backup made with it; without it nobody can. Immutable.
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
    public static RepositoryKey of(byte[] secret) {
        if (secret.length != BYTES) {
            throw new IllegalArgumentException("a repository key has " + BYTES + " bytes, not " + secret.length);
        }
        return new RepositoryKey(secret.clone());
    }

    /** Its public name. */
    public KeyId id() {
        return id;
    }

    /** What tells this key's snapshots from others, for whoever may not read them. */
    public VerificationKey verificationKey() {
        return new VerificationKey(id, BouncyEd25519.publicKey(signingSeed()));
    }

    byte[] signingSeed() {
        return derive("snapshot signing", BYTES);
    }

    /** A copy of the secret, for whoever wraps or prints it. */
    public byte[] secret() {
        return secret.clone();
    }

    /** A key for one purpose; different purposes' keys say nothing about each other. */
    byte[] derive(String purpose, int bytes) {
        byte[] info = (PURPOSE_PREFIX + purpose).getBytes(StandardCharsets.US_ASCII);
        return Hkdf.derive(secret, new byte[0], info, bytes);
    }

    /** The secret never gets into a log. */
    @Override
    public String toString() {
        return "key " + id;
    }
}
