// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import io.shredder.backup.protocol.WireFormat;
import java.util.ArrayList;
import java.util.List;

/** Gathers the entries of a page of a list. One thread. */
public final class PagePointers {

    private final List<PointerRun> entries = new ArrayList<>();

    /** Whether the pointers of another chunk go on this page. A page has room for those of any chunk while it is empty. */
    public boolean hasRoomFor(List<Pointer> ofChunk) {
        return entries.size() + ofChunk.size() <= WireFormat.PAGE_POINTERS || entries.isEmpty();
    }

    /** Adds the pointers of a chunk; one that is kept as it is makes the entry before longer if that is the same. */
    public void add(List<Pointer> ofChunk) {
        add(ofChunk, 1);
    }

    /** The same of a chunk that comes several times in a row. */
    public void add(List<Pointer> ofChunk, int times) {
        int last = entries.size() - 1;
        if (ofChunk.size() != 1 || !ofChunk.get(0).isWhole()) {
            for (int i = 0; i < times; i++) {
                ofChunk.forEach(pointer -> entries.add(new PointerRun(pointer, 1)));
            }
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
