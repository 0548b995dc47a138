// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Leaves bytes clear; the tag is a CRC32C of nonce, clear and plain bytes, and zeros. */
final class ClearSealing implements Sealing {

    @Override
    public void seal(long sequence, int part, byte[] clear, Piece plain, byte[] sealed, int sealedAt) {
        System.arraycopy(plain.bytes(), plain.at(), sealed, sealedAt, plain.length());
        ByteBuffer.wrap(sealed, sealedAt + plain.length(), TAG_BYTES)
                .putInt(crc(sequence, part, clear, plain))
                .putInt(0)
                .putLong(0);
    }

    @Override
    public boolean open(long sequence, int part, byte[] clear, Piece sealed, byte[] plain, int plainAt) {
        Piece body = new Piece(sealed.bytes(), sealed.at(), sealed.length() - TAG_BYTES);
        ByteBuffer tag = ByteBuffer.wrap(sealed.bytes(), sealed.at() + body.length(), TAG_BYTES);
        if (tag.getInt() != crc(sequence, part, clear, body) || tag.getInt() != 0 || tag.getLong() != 0) {
            return false;
        }
        System.arraycopy(body.bytes(), body.at(), plain, plainAt, body.length());
        return true;
    }

    private static int crc(long sequence, int part, byte[] clear, Piece plain) {
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                .putLong(sequence)
                .putInt(part)
                .flip());
        crc.update(clear);
        crc.update(plain.bytes(), plain.at(), plain.length());
        return (int) crc.getValue();
    }
}
