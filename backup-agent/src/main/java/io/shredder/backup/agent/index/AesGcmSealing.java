// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** AES-256-GCM; the nonce is the sequence number, 8 bytes, and the part, 4 bytes. */
final class AesGcmSealing implements Sealing {

    private static final int NONCE_BYTES = Long.BYTES + Integer.BYTES;
    private static final ThreadLocal<Cipher> CIPHER = ThreadLocal.withInitial(AesGcmSealing::newCipher);

    private final SecretKey key;

    AesGcmSealing(byte[] key) {
        this.key = new SecretKeySpec(key, "AES");
    }

    private static Cipher newCipher() {
        try {
            return Cipher.getInstance("AES/GCM/NoPadding");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has AES-GCM", e);
        }
    }

    private Cipher cipher(int mode, long sequence, int part, byte[] clear) throws GeneralSecurityException {
        byte[] nonce =
                ByteBuffer.allocate(NONCE_BYTES).putLong(sequence).putInt(part).array();
        Cipher cipher = CIPHER.get();
        cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce));
        if (clear.length > 0) {
            cipher.updateAAD(clear);
        }
        return cipher;
    }

    @Override
    public void seal(long sequence, int part, byte[] clear, Piece plain, byte[] sealed, int sealedAt) {
        try {
            cipher(Cipher.ENCRYPT_MODE, sequence, part, clear)
                    .doFinal(plain.bytes(), plain.at(), plain.length(), sealed, sealedAt);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-GCM failed to seal " + plain.length() + " bytes", e);
        }
    }

    @Override
    public boolean open(long sequence, int part, byte[] clear, Piece sealed, byte[] plain, int plainAt) {
        try {
            cipher(Cipher.DECRYPT_MODE, sequence, part, clear)
                    .doFinal(sealed.bytes(), sealed.at(), sealed.length(), plain, plainAt);
            return true;
        } catch (AEADBadTagException e) {
            return false;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-GCM failed to open " + sealed.length() + " bytes", e);
        }
    }
}
