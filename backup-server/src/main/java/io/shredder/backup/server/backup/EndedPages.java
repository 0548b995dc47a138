// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import io.shredder.backup.seal.PagePointers;
import io.shredder.backup.seal.SnapshotSealer;
import io.shredder.backup.server.snapshot.LastPages;
import io.shredder.backup.server.stage.SharedWork;
import io.shredder.backup.server.stage.StageTime;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/**
 * Pages of the new list that may be pages of the last snapshot's. Their chunks are held back until helpers have sealed
 * them and their digests tell, so no chunk of an unchanged page is looked up. Those that end are asked about in order.
 * One thread.
 */
final class EndedPages {

    private static final int PAGES_A_WORKER = 2;

    private final LastPages last;
    private final ThreadLocal<SnapshotSealer> sealers;
    private final SharedWork work;
    private final StageTime time;
    private final Queue<Page> pages = new ArrayDeque<>();
    private long bytes;
    private int likely;

    /** What a page would have, and its digest: most often one, several where chunks have many parts. */
    private record Page(List<SharedPart.Chunks> chunks, long bytes, Future<List<Fingerprint>> digests) {}

    /**
     * A page whose turn it is.
     *
     * @param numbers of the last snapshot's pages that it is; empty if it is none
     */
    record Known(List<Integer> numbers, List<SharedPart.Chunks> chunks, long bytes) {}

    /**
     * With none.
     *
     * @param last of which pages may be shared
     * @param sealer makes what seals them, for one thread each
     * @param work seals them
     * @param time counts how long is waited for that
     */
    EndedPages(LastPages last, Supplier<SnapshotSealer> sealer, SharedWork work, StageTime time) {
        this.last = last;
        this.sealers = ThreadLocal.withInitial(sealer);
        this.work = work;
        this.time = time;
    }

    /** Whether there is a last snapshot with pages. */
    boolean isWorthIt() {
        return !last.isEmpty();
    }

    /** A page has ended. */
    void add(HeldPage held) {
        long length = held.bytes();
        List<SharedPart.Chunks> chunks = held.take();
        pages.add(new Page(chunks, length, work.begin(() -> digests(chunks))));
        bytes += length;
    }

    private List<Fingerprint> digests(List<SharedPart.Chunks> chunks) {
        SnapshotSealer sealer = sealers.get();
        List<Fingerprint> digests = new ArrayList<>();
        PagePointers page = new PagePointers();
        for (SharedPart.Chunks each : chunks) {
            int atOnce = PagePointers.isRun(each.pointers()) ? each.count() : 1;
            for (int added = 0; added < each.count(); added += atOnce) {
                if (!page.hasRoomFor(each.pointers())) {
                    digests.add(sealer.page(0, page.take()).digest());
                }
                page.add(each.pointers(), atOnce);
            }
        }
        digests.add(sealer.page(0, page.take()).digest());
        return digests;
    }

    /** How much of the image they have. */
    long bytes() {
        return bytes;
    }

    /** Whether {@link #next} should be asked before more are added: it is sealed, or there are many. */
    boolean isDue() {
        return !pages.isEmpty()
                && (pages.size() > PAGES_A_WORKER * work.workers()
                        || pages.element().digests().isDone());
    }

    /** The first, which is none of these any more; empty if there is none. */
    Optional<Known> next() throws IOException {
        Page page = pages.poll();
        if (page == null) {
            return Optional.empty();
        }
        bytes -= page.bytes();
        return Optional.of(new Known(find(digests(page)), page.chunks(), page.bytes()));
    }

    private List<Fingerprint> digests(Page page) throws IOException {
        long askedNs = System.nanoTime();
        try {
            return page.digests().get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("can't seal a page: " + e.getCause(), e.getCause());
        } finally {
            time.awaitedInput(System.nanoTime() - askedNs);
        }
    }

    private List<Integer> find(List<Fingerprint> digests) {
        List<Integer> numbers = new ArrayList<>();
        for (Fingerprint digest : digests) {
            OptionalInt number = last.find(digest, likely);
            if (number.isEmpty() || !last.isSound(number.getAsInt())) {
                return List.of();
            }
            numbers.add(number.getAsInt());
            likely = number.getAsInt() + 1;
        }
        return numbers;
    }
}
