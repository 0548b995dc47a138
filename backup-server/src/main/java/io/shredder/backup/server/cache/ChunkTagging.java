// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cache;

import io.shredder.backup.seal.CacheCipher;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.engine.BackendUnavailableException;
import io.shredder.engine.KeyedTags;

/** Tags as caches have them: {@code docs/formats/cache.md}, section 1. */
public final class ChunkTagging {

    private ChunkTagging() {}

    /**
     * Tags under this key.
     *
     * @throws BackendUnavailableException if the native library is not there
     */
    public static KeyedTags under(RepositoryKey key) throws BackendUnavailableException {
        return new KeyedTags(CacheCipher.tagKey(key));
    }
}
