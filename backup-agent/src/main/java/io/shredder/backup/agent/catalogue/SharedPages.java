// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import io.shredder.backup.protocol.ContentDigest;
import io.shredder.backup.protocol.ListPage;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The pages of a shared list, which lie in packs. Keeps the last packs open that it read from. For one thread. */
public final class SharedPages implements ListedPages {

    private static final int MOST_OPEN = 8;

    private final PagePacks packs;
    private final PageRuns runs;
    private final Map<Long, PagePack> open = new LinkedHashMap<>(2 * MOST_OPEN, 0.75f, true);

    /** @param runs where they are */
    SharedPages(PagePacks packs, PageRuns runs) {
        this.packs = packs;
        this.runs = runs;
    }

    @Override
    public int count() {
        return runs.pages();
    }

    @Override
    public SharedPages forAnother() {
        return new SharedPages(packs, runs.forAnother());
    }

    /** Where a page is. */
    public PageAddress address(int number) throws IOException {
        return runs.address(number);
    }

    /** Where some pages are. */
    public List<PageRun> runs(int first, int count) throws IOException {
        return runs.part(first, count);
    }

    /** What names a page. */
    public Fingerprint digest(int number) throws IOException {
        return entry(runs.address(number)).digest();
    }

    private PackFormat.Entry entry(PageAddress address) throws IOException {
        return pack(address.pack()).entry(address.index());
    }

    /** Length of the chunks that a page refers to. */
    public long chunkBytes(int number) throws IOException {
        return entry(runs.address(number)).chunkBytes();
    }

    @Override
    public ListPage page(int number) throws IOException {
        return page(runs.address(number)).at(number);
    }

    /** A page of a pack, by its index there. */
    public ListPage page(PageAddress address) throws IOException {
        return pack(address.pack()).page(address.index());
    }

    private PagePack pack(long id) throws IOException {
        PagePack known = open.get(id);
        if (known != null) {
            return known;
        }
        if (open.size() == MOST_OPEN) {
            Iterator<PagePack> eldest = open.values().iterator();
            eldest.next().close();
            eldest.remove();
        }
        PagePack opened = packs.open(id);
        open.put(id, opened);
        return opened;
    }

    @Override
    public Optional<ListPage> unseenPage(int number, SeenPages seen, ContentDigest digest) throws IOException {
        digest.addPage(digest(number));
        return seen.addFirst(address(number)) ? Optional.of(page(number)) : Optional.empty();
    }

    @Override
    public void addTo(ContentDigest digest) throws IOException {
        for (int page = 0; page < count(); page++) {
            digest.addPage(digest(page));
        }
    }

    @Override
    public void checkStart() {}

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
