// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One opened page of entries. Each thread has one and looks into it again if the next question is about the same page, so sorted questions
 * open each page once.
 */
final class RunPage {

    private static final ThreadLocal<RunPage> MINE = ThreadLocal.withInitial(RunPage::new);

    private final byte[] sealed = new byte[RunFormat.PAGE_BYTES];
    private final byte[] plain = new byte[RunFormat.PLAIN_BYTES];
    private final ByteBuffer entries = ByteBuffer.wrap(plain);
    private @Nullable Object owner;
    private int page;
    private int count;

    static RunPage ofThisThread() {
        return MINE.get();
    }

    boolean holds(Object run, int number) {
        return owner == run && page == number;
    }

    /** Where to read the sealed page into. */
    byte[] beginLoad() {
        owner = null;
        return sealed;
    }

    /** Where to open it into. */
    byte[] plain() {
        return plain;
    }

    void endLoad(Object run, int number, int entryCount) {
        owner = run;
        page = number;
        count = entryCount;
    }

    /** The location of a fingerprint in this page, or null. */
    @Nullable
    ChunkLocation find(Fingerprint key, String file) throws DamagedDataException {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            int order = compareAt(middle, key);
            if (order == 0) {
                int at = middle * IndexEntry.BYTES + Fingerprint.BYTES;
                return IndexEntry.location(entries.position(at), file, (long) page * RunFormat.PAGE_BYTES + at);
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return null;
    }

    private int compareAt(int index, Fingerprint key) {
        int at = index * IndexEntry.BYTES;
        int order = Long.compareUnsigned(entries.getLong(at), key.prefix());
        return order != 0 ? order : Fingerprint.read(entries.position(at)).compareTo(key);
    }
}
