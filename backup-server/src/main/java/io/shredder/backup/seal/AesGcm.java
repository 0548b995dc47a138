// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import java.security.GeneralSecurityException;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * AES-256-GCM (NIST SP 800-38D) with 96-bit nonces and 128-bit tags, the tag behind the ciphertext. Whoever calls sees
 * to it that no key meets the same nonce twice. One thread at a time.
 */
public final class AesGcm {

    public static final int NONCE_BYTES = 12;
    public static final int TAG_BYTES = 16;

    private static final int TAG_BITS = 128;

    private final Cipher cipher;

    public AesGcm() {
        try {
            cipher = Cipher.getInstance("AES/GCM/NoPadding");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has AES-GCM", e);
        }
    }

    /**
     * Encrypts {@code length} bytes of {@code plain} from its start and writes them and the tag at
     * {@code target[at..]}.
     *
     * @param open bytes that are bound to the ciphertext and not encrypted
     */
    public void seal(byte[] key, byte[] nonce, byte[] open, byte[] plain, int length, byte[] target, int at) {
        try {
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
            cipher.updateAAD(open);
            cipher.doFinal(plain, 0, length, target, at);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("can't seal " + length + " bytes", e);
        }
    }

    /** Seals all of {@code plain}; the result is {@link #TAG_BYTES} longer. */
    public byte[] seal(byte[] key, byte[] nonce, byte[] open, byte[] plain) {
        byte[] sealed = new byte[plain.length + TAG_BYTES];
        seal(key, nonce, open, plain, plain.length, sealed, 0);
        return sealed;
    }

    /**
     * The plain bytes of {@code sealed[from..]}.
     *
     * @throws AEADBadTagException if key, nonce, open bytes or ciphertext are not those of {@link #seal}
     */
    public byte[] open(byte[] key, byte[] nonce, byte[] open, byte[] sealed, int from) throws AEADBadTagException {
        byte[] plain = new byte[Math.max(0, sealed.length - from - TAG_BYTES)];
        open(key, nonce, open, sealed, from, sealed.length - from, plain);
        return plain;
    }

    /** Writes the plain bytes of {@code length} sealed ones at the start of {@code target}, which has room for them. */
    public void open(byte[] key, byte[] nonce, byte[] open, byte[] sealed, int from, int length, byte[] target)
            throws AEADBadTagException {
        if (length < TAG_BYTES) {
            throw new AEADBadTagException(length + " bytes are shorter than a tag");
        }
        try {
            cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
            cipher.updateAAD(open);
            cipher.doFinal(sealed, from, length, target, 0);
        } catch (AEADBadTagException e) {
            throw e;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("can't open " + length + " bytes", e);
        }
    }
}
