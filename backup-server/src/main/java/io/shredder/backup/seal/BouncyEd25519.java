// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import org.bouncycastle.crypto.params.Ed25519PrivateKeyParameters;
import org.bouncycastle.crypto.params.Ed25519PublicKeyParameters;
import org.bouncycastle.crypto.signers.Ed25519Signer;

/**
 * Ed25519 (RFC 8032) by Bouncy Castle. Apart from what uses it: Java proves its signed jar as a whole when the first
 * class of it is loaded, which short commands should not wait for.
 */
final class BouncyEd25519 {

    private BouncyEd25519() {}

    static byte[] publicKey(byte[] seed) {
        return new Ed25519PrivateKeyParameters(seed, 0).generatePublicKey().getEncoded();
    }

    static byte[] sign(byte[] seed, byte[] message) {
        Ed25519Signer signer = new Ed25519Signer();
        signer.init(true, new Ed25519PrivateKeyParameters(seed, 0));
        signer.update(message, 0, message.length);
        return signer.generateSignature();
    }

    static boolean isSignature(byte[] key, byte[] signature, byte[] message) {
        Ed25519Signer verifier = new Ed25519Signer();
        verifier.init(false, new Ed25519PublicKeyParameters(key, 0));
        verifier.update(message, 0, message.length);
        return verifier.verifySignature(signature);
    }
}
