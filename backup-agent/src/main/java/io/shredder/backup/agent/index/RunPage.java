// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One opened page of entries. Each thread has one and looks into it again if the next question is about the same page,
 * so sorted questions open each page once.
 */
final class RunPage {

    private static final ThreadLocal<RunPage> MINE = ThreadLocal.withInitial(RunPage::new);

    private final ByteBuffer read = ByteBuffer.allocateDirect(RunLayout.PAGE_BYTES);
    private final byte[] sealed = new byte[RunLayout.PAGE_BYTES];
    private final byte[] plain = new byte[RunLayout.PAGE_BYTES];
    private final ByteBuffer entries = ByteBuffer.wrap(plain);
    private @Nullable RunPages owner;
    private int page;
    private int count;

    static RunPage ofThisThread() {
        return MINE.get();
    }

    boolean holds(RunPages run, int number) {
        return owner == run && page == number;
    }

    /** Reads a sealed page; what this page held is gone. */
    Sealing.Piece read(IndexFolder.File file, long offset) throws IOException {
        owner = null;
        file.read(read.clear(), offset);
        read.get(0, sealed);
        return new Sealing.Piece(sealed, 0, sealed.length);
    }

    /** Where to open it into. */
    byte[] plain() {
        return plain;
    }

    void endLoad(RunPages run, int number, int entryCount) {
        owner = run;
        page = number;
        count = entryCount;
    }

    /** The location of a fingerprint in this page, or null. */
    @Nullable
    ChunkLocation find(Fingerprint key) throws DamagedDataException {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            int order = compareAt(middle, key);
            if (order == 0) {
                int at = middle * IndexEntry.BYTES + Fingerprint.BYTES;
                return location(at);
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return null;
    }

    private ChunkLocation location(int at) throws DamagedDataException {
        RunPages run = Objects.requireNonNull(owner);
        return IndexEntry.location(entries.position(at), IndexFiles.name(run.name()), run.at(page) + at);
    }

    private int compareAt(int index, Fingerprint key) {
        int at = index * IndexEntry.BYTES;
        int order = Long.compareUnsigned(entries.getLong(at), key.prefix());
        return order != 0 ? order : Fingerprint.read(entries.position(at)).compareTo(key);
    }
}
