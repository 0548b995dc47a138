// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.backup.protocol.BodyReader;
import io.shredder.backup.protocol.ChunkRef;
import io.shredder.backup.protocol.ContentDigest;
import io.shredder.backup.protocol.SnapshotInfo;
import io.shredder.backup.protocol.SnapshotName;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.Fingerprint;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A snapshot that is being received: a temporary file, deleted by {@link #close} unless {@link Catalogue#publish} took it. One thread at a
 * time; {@link #visit} may be called by another beside it.
 */
public final class SnapshotDraft implements Closeable {

    private static final int PAGE = 4096;
    private static final int BUFFER_BYTES = ChunkRef.BYTES * PAGE;

    /** Takes the chunks of a draft, some at a time. */
    public interface Visitor {
        /** Called in order. */
        void chunks(List<Fingerprint> fingerprints) throws IOException;
    }

    private final Path temporary;
    private final SnapshotFormat.Head head;
    private final FileChannel channel;
    private final ContentDigest digest;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    private long written;
    private long imageBytes;
    private long chunkCount;

    SnapshotDraft(Path temporary, SnapshotName namespace, SnapshotName name, ChunkingParams params) throws IOException {
        this.temporary = temporary;
        this.head = new SnapshotFormat.Head(namespace, name, params);
        this.digest = new ContentDigest(params);
        this.channel = FileChannel.open(
                temporary, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
        write(head.encode());
    }

    /** Takes the next pointers. Whoever calls has checked that their chunks are kept. */
    public synchronized void append(List<ChunkRef> refs) throws IOException {
        for (ChunkRef ref : refs) {
            if (buffer.remaining() < ChunkRef.BYTES) {
                flush();
            }
            ref.write(buffer);
            digest.add(ref);
            imageBytes += ref.length();
            chunkCount++;
        }
    }

    /**
     * Visits all chunks that were appended before.
     *
     * @throws java.nio.channels.ClosedChannelException if the draft is published or dropped
     */
    public void visit(Visitor visitor) throws IOException {
        long end = flushed();
        ByteBuffer page = ByteBuffer.allocate(BUFFER_BYTES);
        for (long at = head.encodedBytes(); at < end; at += page.limit()) {
            page.clear().limit((int) Math.min(BUFFER_BYTES, end - at));
            DurableFiles.readFully(channel, page, at);
            BodyReader in = new BodyReader(page.flip(), temporary.toString(), at);
            List<Fingerprint> fingerprints = new ArrayList<>(PAGE);
            while (in.remaining() > 0) {
                fingerprints.add(ChunkRef.read(in).fingerprint());
            }
            visitor.chunks(fingerprints);
        }
    }

    private synchronized long flushed() throws IOException {
        flush();
        return head.encodedBytes() + chunkCount * ChunkRef.BYTES;
    }

    SnapshotName namespace() {
        return head.namespace();
    }

    SnapshotName name() {
        return head.name();
    }

    /** Image length so far. */
    public long imageBytes() {
        return imageBytes;
    }

    /** Pointers so far. */
    public long chunkCount() {
        return chunkCount;
    }

    /** The digest of everything appended. Nothing can be appended afterwards. */
    public synchronized Fingerprint finishDigest() throws IOException {
        flush();
        return digest.finish();
    }

    /** Writes the trailer and forces the file. */
    synchronized SnapshotInfo seal(long id, Instant received, Fingerprint contentDigest) throws IOException {
        write(new SnapshotFormat.Trailer(id, received, imageBytes, chunkCount, contentDigest).encode());
        long expected = SnapshotFormat.fileBytes(head.encodedBytes(), chunkCount);
        if (channel.size() != expected) {
            throw new IOException(temporary + " has " + channel.size() + " bytes, not " + expected);
        }
        channel.force(true);
        return new SnapshotInfo(
                id,
                head.name(),
                Instant.ofEpochMilli(received.toEpochMilli()),
                imageBytes,
                chunkCount,
                head.params(),
                contentDigest);
    }

    Path temporary() {
        return temporary;
    }

    private void flush() throws IOException {
        write(buffer.flip());
        buffer.clear();
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
