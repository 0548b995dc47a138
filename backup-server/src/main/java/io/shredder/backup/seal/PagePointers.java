// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import io.shredder.backup.snapshot.ListPage;
import java.util.ArrayList;
import java.util.List;

/** Gathers the entries of a page of a list. One thread. */
public final class PagePointers {

    private final List<PointerRun> entries = new ArrayList<>();

    /** Whether another chunk's pointers fit on this page. An empty page has room for those of any chunk. */
    public boolean hasRoomFor(List<Pointer> ofChunk) {
        return entries.isEmpty() || entries.size() + ofChunk.size() <= ListPage.MAX_POINTERS || goesOn(ofChunk);
    }

    /** Whether the entry before only becomes longer by this chunk. */
    private boolean goesOn(List<Pointer> ofChunk) {
        return isRun(ofChunk)
                && !entries.isEmpty()
                && entries.get(entries.size() - 1).pointer().equals(ofChunk.get(0))
                && entries.get(entries.size() - 1).count() < Integer.MAX_VALUE;
    }

    /** Whether a chunk, several times in a row, is one entry: it is kept as it is. */
    public static boolean isRun(List<Pointer> ofChunk) {
        return ofChunk.size() == 1 && ofChunk.get(0).isWhole();
    }

    /** Adds the pointers of a chunk; one that is kept as it is makes the entry before longer if that is the same. */
    public void add(List<Pointer> ofChunk) {
        add(ofChunk, 1);
    }

    /** The same of a chunk that comes several times in a row; more than once only if it is a run. */
    public void add(List<Pointer> ofChunk, int times) {
        int last = entries.size() - 1;
        if (!isRun(ofChunk)) {
            ofChunk.forEach(pointer -> entries.add(new PointerRun(pointer, times)));
        } else if (last >= 0
                && entries.get(last).pointer().equals(ofChunk.get(0))
                && entries.get(last).count() <= Integer.MAX_VALUE - times) {
            entries.set(last, new PointerRun(ofChunk.get(0), entries.get(last).count() + times));
        } else {
            entries.add(new PointerRun(ofChunk.get(0), times));
        }
    }

    /** Whether there is none. */
    public boolean isEmpty() {
        return entries.isEmpty();
    }

    /** All entries; the page is empty afterwards. */
    public List<PointerRun> take() {
        List<PointerRun> taken = List.copyOf(entries);
        entries.clear();
        return taken;
    }
}
