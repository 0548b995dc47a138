// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lists;

import java.io.Closeable;
import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** Keeps the packs open that were read last, up to some number. For one thread. */
public final class OpenPacks implements Closeable {

    /** Enough for one list, which is read in order. */
    static final int USUAL = 8;

    private final PagePacks packs;
    private final int most;
    private final Map<Long, PagePack> open = new LinkedHashMap<>(16, 0.75f, true);

    OpenPacks(PagePacks packs, int most) {
        this.packs = packs;
        this.most = most;
    }

    /** A pack, which stays open until this is closed or others were asked for. */
    PagePack pack(long id) throws IOException {
        PagePack known = open.get(id);
        if (known != null) {
            return known;
        }
        if (open.size() == most) {
            Iterator<PagePack> eldest = open.values().iterator();
            eldest.next().close();
            eldest.remove();
        }
        PagePack opened = packs.open(id);
        open.put(id, opened);
        return opened;
    }

    @Override
    public void close() throws IOException {
        try {
            for (PagePack pack : open.values()) {
                pack.close();
            }
        } finally {
            open.clear();
        }
    }
}
