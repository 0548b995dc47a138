// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cache;

import io.shredder.backup.seal.CacheCipher;
import io.shredder.backup.snapshot.SnapshotSeal;

/** The numbers of {@code docs/formats/cache.md}, section 2. */
final class CacheFormat {

    /** {@code SHRDCACH}. */
    static final long MAGIC = 0x5348_5244_4341_4348L;

    static final int VERSION = 3;

    /** Magic 8, version 2, zero 6, seal. */
    static final int HEAD_BYTES = 16 + SnapshotSeal.BYTES;

    /** A page ends with the run that makes it this long, or longer. */
    static final int PAGE_BYTES = 1 << 18;

    /** The longest page that is read: one that lacked a byte, and the longest run. */
    static final int MAX_PAGE_BYTES = 1 << 23;

    /** Before each sealed page: its length. */
    static final int PAGE_HEAD_BYTES = Integer.BYTES;

    static final int END_BYTES = CacheEnd.BYTES + CacheCipher.OVERHEAD_BYTES;

    private CacheFormat() {}
}
