// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lists;

import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.snapshot.ContentDigest;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.chunk.Fingerprint;
import java.io.Closeable;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot that is being received: temporary files, deleted by {@link #close} unless the catalogue published them.
 * One thread at a time; {@link #visit} may be called by another beside it.
 */
public abstract class SnapshotDraft implements Closeable {

    /**
     * What the client says its whole snapshot is, at commit.
     *
     * @param imageBytes length of the image
     * @param chunkCount how many pointers its pages hold
     * @param contentDigest what {@link #finishDigest} gave
     * @param summary kept as it is, for whoever has the key
     */
    public record Contents(long imageBytes, long chunkCount, Fingerprint contentDigest, SealedBytes summary) {}

    /** Takes the chunks of a draft, some at a time. */
    public interface Visitor {
        /** Called in order of the pages. */
        void chunks(List<Fingerprint> fingerprints) throws IOException;
    }

    private final SnapshotFormat.Head head;
    private final ContentDigest digest;
    private @Nullable Fingerprint finished;

    SnapshotDraft(SnapshotFormat.Head head) {
        this.head = head;
        this.digest = new ContentDigest(head.seal());
    }

    /**
     * Takes the next page, whose number must be {@link #pages}. Whoever calls has checked that its chunks are kept.
     *
     * @param chunkBytes length of those chunks
     */
    public abstract void append(ListPage page, long chunkBytes) throws IOException;

    /** How much longer a page makes what is written of the list. */
    public abstract long listBytes(ListPage page);

    /**
     * Visits all chunks that were appended before.
     *
     * @param seen pages of other snapshots that need not be visited; those that were visited are noted
     * @throws DraftEndedException if the draft is published or dropped
     */
    public abstract void visit(Visitor visitor, SeenPages seen) throws IOException, DraftEndedException;

    /** Pages so far. */
    public abstract int pages();

    /** Whether it is sealed under this id, so that what it brought may be in its place. Waits for nobody. */
    public abstract boolean isSealedAs(long id);

    /** Writes what is still to be written, and forces all files. */
    public abstract SnapshotInfo seal(long id, Instant received, Contents contents) throws IOException;

    /** Publishes what the snapshot's file needs; to be called once it is sealed. */
    public abstract void publishPack() throws IOException;

    /** The sealed snapshot's file. */
    public abstract java.nio.file.Path temporary();

    public SnapshotName namespace() {
        return head.namespace();
    }

    /** Of its series. */
    public SnapshotName name() {
        return head.name();
    }

    /** Whether its pages may be other snapshots' as well. */
    public boolean isShared() {
        return head.seal().isShared();
    }

    SnapshotFormat.Head head() {
        return head;
    }

    /** Of what was appended. */
    ContentDigest digest() {
        return digest;
    }

    void checkNext(ListPage page) {
        if (page.number() != pages()) {
            throw new IllegalArgumentException("page " + page.number() + " after " + pages() + " pages");
        }
    }

    /** The digest of everything appended. Nothing can be appended afterwards. */
    public synchronized Fingerprint finishDigest() {
        if (finished == null) {
            finished = digest.finish();
        }
        return finished;
    }

    SnapshotInfo info(long id, Instant received, Contents contents) {
        return new SnapshotInfo(
                id,
                head.name(),
                Instant.ofEpochMilli(received.toEpochMilli()),
                contents.imageBytes(),
                contents.chunkCount(),
                head.seal(),
                contents.summary(),
                contents.contentDigest());
    }

    static SnapshotFormat.Trailer trailer(long id, Instant received, Contents contents, int directoryCrc) {
        return new SnapshotFormat.Trailer(
                id,
                received,
                contents.imageBytes(),
                contents.chunkCount(),
                contents.contentDigest(),
                directoryCrc,
                contents.summary());
    }
}
