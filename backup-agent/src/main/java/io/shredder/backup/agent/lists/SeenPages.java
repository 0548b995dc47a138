// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lists;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Which pages of shared lists were looked at: a bit each, so that each is read once however many snapshots have it. Not
 * safe for several threads.
 */
public final class SeenPages {

    private final Map<Long, BitSet> byPack = new HashMap<>();

    /** Notes a page; returns whether it had not been noted. */
    public boolean addFirst(PageAddress page) {
        BitSet seen = byPack.computeIfAbsent(page.pack(), id -> new BitSet());
        boolean first = !seen.get(page.index());
        seen.set(page.index());
        return first;
    }

    /** Whether any page of a pack is noted. */
    public boolean hasAnyOf(long pack) {
        return byPack.containsKey(pack);
    }
}
