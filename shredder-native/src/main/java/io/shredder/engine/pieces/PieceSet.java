// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.pieces;

import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.security.MessageDigest;

/**
 * Pieces that belong together. Two files of the same bytes, coded alike, make the same set.
 *
 * @param root a digest over the layout and the digests of all cells
 */
record PieceSet(PieceLayout layout, Fingerprint root) {

    /** What the {@link #root} is computed with: the layout has been put in, and the digests of each group follow. */
    static MessageDigest beginRoot(PieceLayout layout) {
        MessageDigest digest = Checksums.sha256();
        digest.update(ByteBuffer.allocate(20)
                .putInt(PieceHeader.VERSION)
                .putShort((short) layout.data())
                .putShort((short) layout.parity())
                .putInt(layout.cellBytes())
                .putLong(layout.fileBytes())
                .flip());
        return digest;
    }

    @Override
    public String toString() {
        return layout.data() + " + " + layout.parity() + " pieces of " + layout.fileBytes() + " bytes";
    }
}
