// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import com.google.common.primitives.Bytes;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.X509EncodedKeySpec;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks signatures of Ed25519 (RFC 8032): by AWS-LC where a program has it loaded, which takes half as long, else by
 * Bouncy Castle. Java's own takes ten times as long. Thread-safe.
 */
final class SignatureCheck {

    /** Of a SubjectPublicKeyInfo (RFC 8410), before the key's 32 bytes. */
    private static final byte[] HEAD = HexFormat.of().parseHex("302a300506032b6570032100");

    private final byte[] key;

    /** The same for Java, made when it is first needed. */
    private volatile @Nullable PublicKey publicKey;

    SignatureCheck(byte[] key) {
        this.key = key.clone();
    }

    boolean isSignature(byte[] signature, byte[] message) {
        Optional<Provider> library = SigningKey.library();
        return library.isPresent() ? by(library.get(), signature, message) : byBouncyCastle(signature, message);
    }

    boolean byBouncyCastle(byte[] signature, byte[] message) {
        return BouncyEd25519.isSignature(key, signature, message);
    }

    boolean by(Provider library, byte[] signature, byte[] message) {
        try {
            Signature verifier = Signature.getInstance(SigningKey.ALGORITHM, library);
            verifier.initVerify(publicKey());
            verifier.update(message);
            return isGood(verifier, signature);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Ed25519 takes such a key", e);
        }
    }

    private static boolean isGood(Signature verifier, byte[] signature) {
        try {
            return verifier.verify(signature);
        } catch (SignatureException e) {
            return false; // Not of the form of one.
        }
    }

    private PublicKey publicKey() throws GeneralSecurityException {
        PublicKey made = publicKey;
        if (made == null) {
            byte[] encoded = Bytes.concat(HEAD, key);
            made = KeyFactory.getInstance(SigningKey.ALGORITHM).generatePublic(new X509EncodedKeySpec(encoded));
            publicKey = made;
        }
        return made;
    }
}
