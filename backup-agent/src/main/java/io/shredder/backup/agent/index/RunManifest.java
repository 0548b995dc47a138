// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * What the manifest says of a run.
 *
 * @param number in its file's name
 * @param entries how many it has
 * @param tag of its header page, in hexadecimal: no other file can take its place
 */
record RunManifest(int number, long entries, String tag) {

    /** Length in the manifest. */
    static final int BYTES = Integer.BYTES + Long.BYTES + Sealing.TAG_BYTES;

    static String tag(byte[] headerPage) {
        return HexFormat.of().formatHex(headerPage, headerPage.length - Sealing.TAG_BYTES, headerPage.length);
    }

    void write(ByteBuffer target) {
        target.putInt(number).putLong(entries).put(HexFormat.of().parseHex(tag));
    }

    static RunManifest read(BodyReader in) throws DamagedDataException {
        int number = in.length("run", Integer.MAX_VALUE);
        long entries = in.u63("entries");
        ByteBuffer tag =
                ByteBuffer.allocate(Sealing.TAG_BYTES).putLong(in.i64("tag")).putLong(in.i64("tag"));
        return new RunManifest(number, entries, HexFormat.of().formatHex(tag.array()));
    }
}
