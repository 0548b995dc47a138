// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import com.google.common.primitives.Bytes;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.Security;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Signs by Ed25519 (RFC 8032), as {@link SignatureCheck} checks: the same bytes, whoever computes them. Thread-safe.
 */
final class SigningKey {

    static final String ALGORITHM = "Ed25519";

    private static final String AWS_LC = "AmazonCorrettoCryptoProvider";

    /** Of a PrivateKeyInfo (RFC 8410), before the seed's 32 bytes. */
    private static final byte[] HEAD = HexFormat.of().parseHex("302e020100300506032b657004220420");

    private SigningKey() {}

    /** AWS-LC, where a program has it loaded. */
    static Optional<Provider> library() {
        return Optional.ofNullable(Security.getProvider(AWS_LC))
                .filter(library -> library.getService("Signature", ALGORITHM) != null);
    }

    /**
     * A signature.
     *
     * @param seed of the key, 32 bytes
     */
    static byte[] sign(byte[] seed, byte[] message) {
        Optional<Provider> library = library();
        return library.isPresent() ? by(library.get(), seed, message) : BouncyEd25519.sign(seed, message);
    }

    static byte[] by(Provider library, byte[] seed, byte[] message) {
        try {
            PrivateKey key = KeyFactory.getInstance(ALGORITHM)
                    .generatePrivate(new PKCS8EncodedKeySpec(Bytes.concat(HEAD, seed)));
            Signature signer = Signature.getInstance(ALGORITHM, library);
            signer.initSign(key);
            signer.update(message);
            return signer.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Ed25519 takes such a key", e);
        }
    }
}
