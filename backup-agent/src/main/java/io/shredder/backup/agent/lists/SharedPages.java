// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lists;

import io.shredder.backup.snapshot.ContentDigest;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The pages of a shared list, which lie in packs. For one thread. */
public final class SharedPages implements ListedPages {

    private final OpenPacks packs;
    private final PageRuns runs;

    /**
     * Closes the packs with itself.
     *
     * @param runs where they are
     */
    SharedPages(OpenPacks packs, PageRuns runs) {
        this.packs = packs;
        this.runs = runs;
    }

    @Override
    public int count() {
        return runs.pages();
    }

    @Override
    public SharedPages forAnother(OpenPacks theirs) {
        return new SharedPages(theirs, runs.forAnother());
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
        return packs.pack(address.pack()).entry(address.index());
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
        return packs.pack(address.pack()).page(address.index());
    }

    @Override
    public Optional<ListPage> unseenPage(int number, SeenPages seen, ContentDigest digest) throws IOException {
        PageAddress address = runs.address(number);
        PagePack pack = packs.pack(address.pack());
        digest.addPage(pack.digest(address.index()));
        if (seen.has(address)) {
            return Optional.empty();
        }
        ListPage page = pack.page(address.index()).at(number);
        seen.add(address);
        return Optional.of(page);
    }

    @Override
    public void addTo(ContentDigest digest, int first, int some) throws IOException {
        for (int page = first; page < first + some; page++) {
            digest.addPage(digest(page));
        }
    }

    @Override
    public void checkStart() {}

    @Override
    public void close() throws IOException {
        packs.close();
    }
}
