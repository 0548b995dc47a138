// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cache;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;

/**
 * The end of a cache file: which snapshot it is of.
 *
 * @param contentDigest of the snapshot's list, which no other has
 * @param imageBytes length of the image
 * @param pages how many pages it has
 * @param params how the image was cut
 */
record CacheEnd(Fingerprint contentDigest, long imageBytes, int pages, ChunkingParams params) {

    static final int BYTES = Fingerprint.BYTES + Long.BYTES + Integer.BYTES + ChunkingParams.ENCODED_BYTES;

    byte[] encode() {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        contentDigest.write(bytes);
        params.write(bytes.putLong(imageBytes).putInt(pages));
        return bytes.array();
    }

    static CacheEnd read(byte[] bytes, String source, long offset) throws DamagedDataException {
        BodyReader in = new BodyReader(ByteBuffer.wrap(bytes), source, offset);
        Fingerprint contentDigest = in.fingerprint("content digest");
        long imageBytes = in.u63("image length");
        int pages = in.length("number of pages", Integer.MAX_VALUE);
        CacheEnd end = new CacheEnd(contentDigest, imageBytes, pages, in.params());
        in.end();
        return end;
    }
}
