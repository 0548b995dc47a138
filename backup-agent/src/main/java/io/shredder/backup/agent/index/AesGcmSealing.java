// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * AES-256-GCM; the nonce is the sequence number, 8 bytes, and the part, 4 bytes. A key's schedule and hash table cost
 * the JDK as much as opening a page does, so ciphers stay with their key and wait here for whoever comes next.
 */
final class AesGcmSealing implements Sealing {

    private static final int NONCE_BYTES = Long.BYTES + Integer.BYTES;

    private final SecretKey key;
    private final Queue<Cipher> idle = new ConcurrentLinkedQueue<>();

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

    private void transform(int mode, long sequence, int part, byte[] clear, Piece from, byte[] to, int toAt)
            throws GeneralSecurityException {
        byte[] nonce =
                ByteBuffer.allocate(NONCE_BYTES).putLong(sequence).putInt(part).array();
        Cipher waiting = idle.poll();
        Cipher cipher = waiting == null ? newCipher() : waiting;
        cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce));
        if (clear.length > 0) {
            cipher.updateAAD(clear);
        }
        cipher.doFinal(from.bytes(), from.at(), from.length(), to, toAt);
        idle.add(cipher);
    }

    @Override
    public void seal(long sequence, int part, byte[] clear, Piece plain, byte[] sealed, int sealedAt) {
        try {
            transform(Cipher.ENCRYPT_MODE, sequence, part, clear, plain, sealed, sealedAt);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-GCM failed to seal " + plain.length() + " bytes", e);
        }
    }

    @Override
    public boolean open(long sequence, int part, byte[] clear, Piece sealed, byte[] plain, int plainAt) {
        try {
            transform(Cipher.DECRYPT_MODE, sequence, part, clear, sealed, plain, plainAt);
            return true;
        } catch (AEADBadTagException e) {
            return false;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-GCM failed to open " + sealed.length() + " bytes", e);
        }
    }
}
