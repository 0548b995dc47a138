// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import io.shredder.backup.client.Answers;
import io.shredder.backup.seal.Pointer;
import io.shredder.backup.server.stage.Pipe;
import io.shredder.backup.server.stage.Stage;
import io.shredder.backup.server.stage.StageTime;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Seals and sends the pointers, in the order of the image, a page at a time, once the agent has the page's chunks, and
 * hands them on to the cache. One thread.
 */
final class RecordStage implements Stage, AutoCloseable {

    private final Pipe<ListPart> parts;
    private final Optional<CacheStage> cache;
    private final NewList list;
    private final StageTime time;
    /** More than the look-up knows to have been asked about: it asks again before one is forgotten here. */
    private final Map<Fingerprint, List<Pointer>> resolved = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Fingerprint, List<Pointer>> eldest) {
            return size() > 2 * LookupStage.REMEMBERED;
        }
    };

    private long imageBytes;
    private long chunkCount;

    /** @param cache of this snapshot, if there is to be one; closed by this one */
    RecordStage(Pipe<ListPart> parts, NewList list, Optional<CacheStage> cache, StageTime time) {
        this.time = time;
        this.parts = parts;
        this.list = list;
        this.cache = cache;
    }

    @Override
    public void run() throws IOException {
        time.present(() -> {
            for (Optional<ListPart> part = take(); part.isPresent(); part = take()) {
                if (part.get() instanceof StagedGroup group) {
                    time.awaitingInput(() -> Answers.await(group.forwarded()));
                    record(group);
                } else if (part.get() instanceof SharedPart shared) {
                    record(shared);
                }
            }
            list.end();
            cache.ifPresent(kept -> kept.parts().close());
        });
    }

    private Optional<ListPart> take() throws IOException {
        return time.awaitingInput(parts::take);
    }

    private void record(StagedGroup group) throws IOException {
        group.resolved().forEach((identity, pointers) -> {
            resolved.remove(identity);
            resolved.put(identity, pointers);
        });
        List<SharedPart.Chunks> added = new ArrayList<>(group.entries().size());
        for (StagedGroup.Entry entry : group.entries()) {
            List<Pointer> pointers = resolved.getOrDefault(entry.ref().fingerprint(), entry.pointers());
            list.add(pointers, entry.beginsPage());
            added.add(new SharedPart.Chunks(entry.ref(), pointers, entry.pieces(), 1));
        }
        handOn(added);
    }

    private void record(SharedPart shared) throws IOException {
        list.share(shared.pages());
        handOn(shared.chunks());
    }

    private void handOn(List<SharedPart.Chunks> added) throws IOException {
        for (SharedPart.Chunks chunks : added) {
            imageBytes += chunks.bytes();
            chunkCount += (long) chunks.count() * chunks.pointers().size();
        }
        if (cache.isPresent()) {
            time.givingAway(() -> cache.get().parts().put(added));
        }
    }

    /** Length of the image; to be asked after {@link #run}. */
    long imageBytes() {
        return imageBytes;
    }

    /** Number of its pointers; to be asked after {@link #run}. */
    long chunkCount() {
        return chunkCount;
    }

    /** Digest of its pages; to be asked once, after {@link #run}. */
    Fingerprint contentDigest() {
        return list.contentDigest();
    }

    /** This is the snapshot. */
    void publish(SnapshotInfo snapshot) {
        cache.ifPresent(kept -> kept.publish(snapshot));
    }

    /** Leaves nothing of a cache that was not published. */
    @Override
    public void close() {
        cache.ifPresent(CacheStage::close);
    }
}
