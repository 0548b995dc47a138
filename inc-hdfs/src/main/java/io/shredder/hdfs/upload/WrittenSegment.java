// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.upload;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.Manifest;
import java.util.List;

/** The chunks of a segment that HDFS has taken, in order. */
record WrittenSegment(List<WrittenChunk> chunks) {

    /** A chunk that does not know where in the file it is. */
    record WrittenChunk(int length, Fingerprint fingerprint) {}

    void addTo(Manifest.Builder manifest) {
        for (int i = 0; i < chunks.size(); i++) {
            WrittenChunk chunk = chunks.get(i);
            boolean segmentEnd = i == chunks.size() - 1;
            manifest.add(new Chunk(manifest.length(), chunk.length(), chunk.fingerprint(), segmentEnd));
        }
    }
}
