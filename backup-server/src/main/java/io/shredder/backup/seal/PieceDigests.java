// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** SHA-256 of pieces of memory. Safe for any number of threads. */
@FunctionalInterface
public interface PieceDigests {

    /**
     * The digests of pieces that lie back to back, in order.
     *
     * @param data direct; the first piece begins at its position, which does not change
     * @param lengths of the pieces in bytes
     */
    List<Fingerprint> of(ByteBuffer data, int[] lengths) throws IOException;

    /** One after another, by the Java platform: works everywhere. */
    static List<Fingerprint> oneByOne(ByteBuffer data, int[] lengths) {
        List<Fingerprint> digests = new ArrayList<>(lengths.length);
        int at = data.position();
        for (int length : lengths) {
            digests.add(Fingerprint.ofData(data.slice(at, length)));
            at += length;
        }
        return digests;
    }
}
