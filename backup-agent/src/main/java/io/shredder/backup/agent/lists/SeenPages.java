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

    /** Whether a page is noted. */
    public boolean has(PageAddress page) {
        BitSet seen = byPack.get(page.pack());
        return seen != null && seen.get(page.index());
    }

    /** Notes a page, to be called once it was looked at: of one that could not be read nothing is known. */
    public void add(PageAddress page) {
        byPack.computeIfAbsent(page.pack(), id -> new BitSet()).set(page.index());
    }

    /** Whether any page of a pack is noted. */
    public boolean hasAnyOf(long pack) {
        return byPack.containsKey(pack);
    }
}
