// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.seal.PagePointers;
import io.shredder.backup.seal.Pointer;
import io.shredder.backup.seal.SnapshotSealer;
import io.shredder.backup.server.cache.Pieces;
import io.shredder.backup.server.snapshot.LastPages;
import io.shredder.backup.snapshot.ListPage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The chunks of a page of the new list that may be a page of the last snapshot's. They are held back until the page
 * ends and its digest tells, so no chunk of an unchanged page is looked up. One thread.
 */
final class HeldPage {

    private final LastPages last;
    private final SnapshotSealer sealer;
    private final List<SharedPart.Chunks> chunks = new ArrayList<>();
    private long bytes;
    private int likely;

    HeldPage(LastPages last, SnapshotSealer sealer) {
        this.last = last;
        this.sealer = sealer;
    }

    /** Whether there is a last snapshot with pages. */
    boolean isWorthIt() {
        return !last.isEmpty();
    }

    void add(ChunkRef ref, List<Pointer> pointers, Optional<Pieces> pieces) {
        int end = chunks.size() - 1;
        SharedPart.Chunks before = end < 0 ? null : chunks.get(end);
        if (before != null
                && before.ref().equals(ref)
                && before.pointers().equals(pointers)
                && before.pieces().equals(pieces)
                && before.count() < Integer.MAX_VALUE) {
            chunks.set(end, new SharedPart.Chunks(ref, pointers, before.pieces(), before.count() + 1));
        } else {
            chunks.add(new SharedPart.Chunks(ref, pointers, pieces, 1));
        }
        bytes += ref.length();
    }

    /** How much of the image is held. */
    long bytes() {
        return bytes;
    }

    /** What is held; nothing is afterwards. */
    List<SharedPart.Chunks> take() {
        List<SharedPart.Chunks> taken = List.copyOf(chunks);
        chunks.clear();
        bytes = 0;
        return taken;
    }

    /**
     * The pages of the last snapshot that all that is held makes, if it does. Most often it is one; chunks with many
     * parts may need more.
     */
    Optional<List<Integer>> pages() {
        List<Integer> pages = new ArrayList<>();
        PagePointers page = new PagePointers();
        for (SharedPart.Chunks each : chunks) {
            int atOnce = PagePointers.isRun(each.pointers()) ? each.count() : 1;
            for (int added = 0; added < each.count(); added += atOnce) {
                if (!page.hasRoomFor(each.pointers()) && !find(page, pages)) {
                    return Optional.empty();
                }
                page.add(each.pointers(), atOnce);
            }
        }
        return !page.isEmpty() && find(page, pages) ? Optional.of(pages) : Optional.empty();
    }

    private boolean find(PagePointers page, List<Integer> pages) {
        ListPage sealed = sealer.page(0, page.take());
        OptionalInt number = last.find(sealed, likely);
        if (number.isEmpty() || !last.isSound(number.getAsInt())) {
            return false;
        }
        pages.add(number.getAsInt());
        likely = number.getAsInt() + 1;
        return true;
    }
}
