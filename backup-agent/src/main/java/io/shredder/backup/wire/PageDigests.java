// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Some pages of a shared list, in order, by their digests ({@link ListPage#digest}): the answer to
 * {@link ListRequest.ListPages}.
 *
 * @param total how many pages the list has
 * @param digests of the page that was asked for and of some that follow it; none only if there are none
 * @param sound a bit for each of them, set if nothing is known to be wrong with it, or nothing was to be checked
 */
public record PageDigests(int total, List<Fingerprint> digests, BitSet sound) implements Answer {

    /** The most digests in one answer. */
    public static final int MAX_DIGESTS = 65_536;

    /** The same in an answer for which pages are read, which takes time. */
    public static final int MAX_CHECKED = 1024;

    @Override
    public FrameType type() {
        return FrameType.PAGES;
    }

    @Override
    public int bodyBytes() {
        return 2 * Integer.BYTES + digests.size() * Fingerprint.BYTES + (digests.size() + 7) / 8;
    }

    @Override
    public void writeBody(ByteBuffer target) {
        target.putInt(total).putInt(digests.size());
        digests.forEach(digest -> digest.write(target));
        byte[] bits = new byte[(digests.size() + 7) / 8];
        byte[] set = sound.toByteArray();
        System.arraycopy(set, 0, bits, 0, set.length);
        target.put(bits);
    }

    static PageDigests read(BodyReader in) throws DamagedDataException {
        int total = in.length("page count", ListPage.MAX_SHARED_PAGES);
        int count = in.length("count", Math.min(MAX_DIGESTS, total));
        List<Fingerprint> digests = new ArrayList<>(Math.min(count, in.remaining() / Fingerprint.BYTES));
        for (int i = 0; i < count; i++) {
            digests.add(in.fingerprint("page digest"));
        }
        if (in.remaining() != (count + 7) / 8) {
            throw in.damaged(in.remaining() + " bytes of bits for " + count + " pages");
        }
        BitSet sound = BitSet.valueOf(in.rest());
        if (sound.length() > count) {
            throw in.damaged("bits are set beyond the last page");
        }
        return new PageDigests(total, digests, sound);
    }
}
