// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.map;

import io.shredder.incoop.input.InputChunk;
import org.jspecify.annotations.Nullable;

/** Where a reader of the old API, which fills keys instead of giving them, puts a chunk. */
public final class ChunkHolder {

    private @Nullable InputChunk chunk;

    ChunkHolder() {}

    void set(InputChunk next) {
        chunk = next;
    }

    @Nullable
    InputChunk get() {
        return chunk;
    }
}
