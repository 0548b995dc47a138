// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.Answers;
import io.shredder.backup.seal.PagePointers;
import io.shredder.backup.seal.Pointer;
import io.shredder.backup.seal.PointerRun;
import io.shredder.backup.seal.SnapshotSealer;
import io.shredder.backup.server.snapshot.LastPages;
import io.shredder.backup.snapshot.ContentDigest;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.wire.ListRequest;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/**
 * The list of the snapshot that is open at the agent: seals its pages and sends them, or has the agent take pages of
 * the last snapshot's. The agent has the chunks of whatever is added. One thread.
 */
final class NewList {

    private static final int MAX_UNANSWERED = 16;

    private final AgentClient agent;
    private final SnapshotSealer sealer;
    private final LastPages last;
    private final ContentDigest digest;
    private final PagePointers page = new PagePointers();
    private final List<PointerRun> privatePage = new ArrayList<>();
    private final Queue<CompletableFuture<Void>> unanswered = new ArrayDeque<>();
    private int pages;
    private int sharedPages;

    /** Pages of the last snapshot that the agent is still to be told of. */
    private int shareFrom;

    private int shareCount;

    /** @param last whose pages may be shared; nothing of it is looked at for a private list */
    NewList(AgentClient agent, SnapshotSealer sealer, LastPages last) {
        this.agent = agent;
        this.sealer = sealer;
        this.last = last;
        this.digest = new ContentDigest(sealer.seal());
    }

    /**
     * Adds a chunk of the image.
     *
     * @param beginsPage whether a page of a shared list begins with it
     */
    void add(List<Pointer> pointers, boolean beginsPage) throws IOException {
        if (!sealer.seal().isShared()) {
            addPrivately(pointers);
            return;
        }
        if (beginsPage || !page.hasRoomFor(pointers)) {
            endPage();
        }
        page.add(pointers);
    }

    private void addPrivately(List<Pointer> pointers) throws IOException {
        for (Pointer pointer : pointers) {
            privatePage.add(new PointerRun(pointer, 1));
            if (privatePage.size() == ListPage.MAX_POINTERS) {
                endPrivatePage();
            }
        }
    }

    private void endPrivatePage() throws IOException {
        if (!privatePage.isEmpty()) {
            append(sealer.page(pages, privatePage));
            privatePage.clear();
        }
    }

    private void endPage() throws IOException {
        if (page.isEmpty()) {
            return;
        }
        ListPage sealed = sealer.page(pages, page.take());
        OptionalInt known = last.find(sealed.digest(), shareFrom + shareCount);
        if (known.isEmpty()) {
            shareNow();
            append(sealed);
            return;
        }
        int number = known.getAsInt();
        if (!last.isSound(number)) {
            // Its chunks were all found or put, so a whole copy of the page makes the last snapshot sound, too.
            agent.mendPage(last.snapshotId(), sealed.at(number));
        }
        share(number, sealed.digest());
    }

    private void append(ListPage sealed) throws IOException {
        digest.add(sealed);
        pages++;
        wait(agent.append(sealed));
    }

    /** Goes on with pages of the last snapshot, which are sound; the page before is ended. */
    void share(List<Integer> numbers) throws IOException {
        endPage();
        for (int number : numbers) {
            share(number, last.digest(number));
        }
    }

    private void share(int number, Fingerprint pageDigest) throws IOException {
        boolean goesOn = number == shareFrom + shareCount && shareCount < ListRequest.Share.MOST_PAGES;
        if (shareCount > 0 && !goesOn) {
            shareNow();
        }
        if (shareCount == 0) {
            shareFrom = number;
        }
        shareCount++;
        sharedPages++;
        pages++;
        digest.addPage(pageDigest);
    }

    private void shareNow() throws IOException {
        if (shareCount > 0) {
            wait(agent.share(last.snapshotId(), shareFrom, shareCount));
            shareFrom += shareCount;
            shareCount = 0;
        }
    }

    private void wait(CompletableFuture<Void> answer) throws IOException {
        unanswered.add(answer);
        settle(MAX_UNANSWERED);
    }

    private void settle(int allowed) throws IOException {
        while (unanswered.size() > allowed) {
            Answers.await(unanswered.remove());
        }
    }

    /** The image has ended: sends what is left, and waits until the agent has all. */
    void end() throws IOException {
        endPrivatePage();
        endPage();
        shareNow();
        settle(0);
    }

    /** How many pages it has. */
    int pages() {
        return pages;
    }

    /** How many of them the last snapshot has, too. */
    int sharedPages() {
        return sharedPages;
    }

    /** Digest of the list; to be asked once, after {@link #end}. */
    Fingerprint contentDigest() {
        return digest.finish();
    }
}
