// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.backup.protocol.ContentDigest;
import io.shredder.backup.protocol.ListPage;
import io.shredder.backup.protocol.SealedBytes;
import io.shredder.backup.protocol.SnapshotInfo;
import io.shredder.backup.protocol.SnapshotName;
import io.shredder.backup.protocol.SnapshotSeal;
import io.shredder.chunk.Fingerprint;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot that is being received: a temporary file, deleted by {@link #close} unless {@link Catalogue#publish} took it. One thread at a
 * time; {@link #visit} may be called by another beside it.
 */
public final class SnapshotDraft implements Closeable {

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

    private final Path temporary;
    private final SnapshotFormat.Head head;
    private final FileChannel channel;
    private final ContentDigest digest;
    private final PageDirectory directory = new PageDirectory();

    private long written;

    /** Behind it are directory and trailer, once it is sealed. */
    private long pagesEnd;

    private @Nullable Fingerprint finished;

    SnapshotDraft(Path temporary, SnapshotName namespace, SnapshotName name, SnapshotSeal seal) throws IOException {
        this.temporary = temporary;
        this.head = new SnapshotFormat.Head(namespace, name, seal);
        this.digest = new ContentDigest(seal);
        this.channel = FileChannel.open(
                temporary, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
        write(head.encode());
    }

    /** Takes the next page, whose number must be {@link #pages}. Whoever calls has checked that its chunks are kept. */
    public synchronized void append(ListPage page) throws IOException {
        if (page.number() != pages()) {
            throw new IllegalArgumentException("page " + page.number() + " after " + pages() + " pages");
        }
        long offset = written;
        write(SnapshotFormat.encodePage(page));
        directory.add(offset);
        digest.add(page);
        pagesEnd = written;
    }

    /**
     * Visits all chunks that were appended before.
     *
     * @throws java.nio.channels.ClosedChannelException if the draft is published or dropped
     */
    public void visit(Visitor visitor) throws IOException {
        int end = pages();
        for (int number = 0; number < end; number++) {
            visitor.chunks(page(number).references());
        }
    }

    private synchronized ListPage page(int number) throws IOException {
        long at = directory.offset(number);
        long end = number + 1 < directory.pages() ? directory.offset(number + 1) : pagesEnd;
        ByteBuffer bytes = ByteBuffer.allocate((int) (end - at));
        DurableFiles.readFully(channel, bytes, at);
        return SnapshotFormat.readPage(number, bytes.flip(), temporary.toString(), at);
    }

    SnapshotName namespace() {
        return head.namespace();
    }

    /** Of its series. */
    public SnapshotName name() {
        return head.name();
    }

    /** Pages so far. */
    public synchronized int pages() {
        return directory.pages();
    }

    /** The digest of everything appended. Nothing can be appended afterwards. */
    public synchronized Fingerprint finishDigest() {
        if (finished == null) {
            finished = digest.finish();
        }
        return finished;
    }

    /** Writes directory and trailer, and forces the file. */
    synchronized SnapshotInfo seal(long id, Instant received, Contents contents) throws IOException {
        ByteBuffer offsets = directory.encode();
        SnapshotFormat.Trailer trailer = new SnapshotFormat.Trailer(
                id,
                received,
                contents.imageBytes(),
                contents.chunkCount(),
                contents.contentDigest(),
                SnapshotFormat.crc(offsets.duplicate()),
                contents.summary());
        write(offsets);
        write(trailer.encode());
        if (channel.size() != written) {
            throw new IOException(temporary + " has " + channel.size() + " bytes, not " + written);
        }
        channel.force(true);
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

    Path temporary() {
        return temporary;
    }

    private void write(ByteBuffer bytes) throws IOException {
        int length = bytes.remaining();
        DurableFiles.writeFully(channel, bytes, written);
        written += length;
    }

    @Override
    public void close() throws IOException {
        channel.close();
        Files.deleteIfExists(temporary);
    }
}
