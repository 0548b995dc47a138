// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A chunk of an image, and how often it comes there before another does.
 *
 * @param digest of its bytes
 * @param data its bytes, direct; valid while the consumer has them
 * @param count how many times in a row, at least 1
 */
public record CutChunk(Fingerprint digest, ByteBuffer data, long count) {

    /** Length of one. */
    public int length() {
        return data.remaining();
    }

    /** Length of all. */
    public long bytes() {
        return count * length();
    }

    /** Those of some consecutive chunks that end within so many bytes. */
    public static List<CutChunk> within(List<CutChunk> chunks, long bytes) {
        long end = 0;
        for (int i = 0; i < chunks.size(); i++) {
            CutChunk chunk = chunks.get(i);
            long fitting = Math.min(chunk.count(), (bytes - end) / chunk.length());
            if (fitting < chunk.count()) {
                List<CutChunk> before = new ArrayList<>(chunks.subList(0, i));
                if (fitting > 0) {
                    before.add(new CutChunk(chunk.digest(), chunk.data(), fitting));
                }
                return before;
            }
            end += chunk.bytes();
        }
        return chunks;
    }
}
