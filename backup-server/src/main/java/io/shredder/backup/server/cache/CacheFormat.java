// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cache;

import io.shredder.backup.protocol.SnapshotSeal;
import io.shredder.backup.seal.CacheCipher;
import io.shredder.chunk.Fingerprint;
import io.shredder.engine.ChunkTag;

/** The numbers of {@code docs/formats/cache.md}, section 2. */
final class CacheFormat {

    /** {@code SHRDCACH}. */
    static final long MAGIC = 0x5348_5244_4341_4348L;

    static final int VERSION = 1;

    /** Magic 8, version 2, zero 6, seal. */
    static final int HEAD_BYTES = 16 + SnapshotSeal.BYTES;

    /** Length 4, count 4, identity 32, tag 16. */
    static final int RUN_BYTES = 2 * Integer.BYTES + Fingerprint.BYTES + ChunkTag.BYTES;

    static final int PAGE_RUNS = 2048;
    static final int END_BYTES = CacheEnd.BYTES + CacheCipher.OVERHEAD_BYTES;

    private CacheFormat() {}

    static long pages(long runs) {
        return (runs + PAGE_RUNS - 1) / PAGE_RUNS;
    }

    /** How many runs a page has. */
    static int runsOnPage(long page, long runs) {
        return (int) Math.min(PAGE_RUNS, runs - page * PAGE_RUNS);
    }

    static int sealedPageBytes(int runs) {
        return runs * RUN_BYTES + CacheCipher.OVERHEAD_BYTES;
    }

    /** Length of a file with so many runs. */
    static long fileBytes(long runs) {
        return HEAD_BYTES + runs * RUN_BYTES + pages(runs) * CacheCipher.OVERHEAD_BYTES + END_BYTES;
    }
}
