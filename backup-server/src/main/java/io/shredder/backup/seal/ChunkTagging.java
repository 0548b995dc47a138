// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import io.shredder.engine.BackendUnavailableException;
import io.shredder.engine.KeyedTags;

/** The key of tags, from the repository key: {@code docs/formats/cache.md}, section 1. */
public final class ChunkTagging {

    private ChunkTagging() {}

    /**
     * Tags under this key.
     *
     * @throws BackendUnavailableException if the native library is not there
     */
    public static KeyedTags under(RepositoryKey key) throws BackendUnavailableException {
        return new KeyedTags(key.derive("chunk tags", KeyedTags.KEY_BYTES));
    }
}
