// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.plan;

import io.shredder.incoop.memo.MemoStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Puts chunks that have to be computed into groups of about so many bytes, in the input's order. */
final class Grouping {

    private final String job;
    private final long bytesPerGroup;
    private final Input input;
    private final List<ChunkGroup> groups = new ArrayList<>();
    private final List<InputChunk> open = new ArrayList<>();
    private long openBytes;

    Grouping(String job, long bytesPerGroup, Input input) {
        this.job = job;
        this.bytesPerGroup = bytesPerGroup;
        this.input = input;
    }

    /** Adds a chunk; says where its output will be. */
    ReusePlan.Source add(InputChunk chunk) throws IOException {
        if (!open.isEmpty() && openBytes + chunk.length() > bytesPerGroup) {
            close();
        }
        open.add(chunk);
        openBytes += chunk.length();
        return new ReusePlan.Source(chunk, openName(), open.size() - 1, false);
    }

    /** All groups. Nothing may be added any more. */
    List<ChunkGroup> groups() throws IOException {
        if (!open.isEmpty()) {
            close();
        }
        return List.copyOf(groups);
    }

    private void close() throws IOException {
        groups.add(new ChunkGroup(openName(), open, input.hosts(open.get(0))));
        open.clear();
        openBytes = 0;
    }

    private String openName() {
        return MemoStore.fileName(job, groups.size());
    }
}
