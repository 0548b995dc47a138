// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.backup.protocol.BodyReader;
import io.shredder.backup.protocol.ChunkRef;
import io.shredder.backup.protocol.ContentDigest;
import io.shredder.backup.protocol.SnapshotInfo;
import io.shredder.backup.protocol.SnapshotName;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** A committed snapshot's file, opened for reading: head and trailer are checked at once. For one thread. */
public final class SnapshotFile implements Closeable {

    /** How many pointers are best read at once. */
    public static final int PAGE = 4096;

    private final FileChannel channel;
    private final String name;
    private final int headBytes;
    private final SnapshotFormat.Head head;
    private final SnapshotFormat.Trailer trailer;

    private SnapshotFile(FileChannel channel, String name) throws IOException {
        this.channel = channel;
        this.name = name;
        long size = channel.size();
        this.headBytes =
                SnapshotFormat.Head.length(read(0, (int) Math.min(size, SnapshotFormat.FIXED_HEAD_BYTES)), name);
        this.head = SnapshotFormat.Head.read(read(0, headBytes), name);
        long trailerAt = size - SnapshotFormat.TRAILER_BYTES;
        if (trailerAt < headBytes) {
            throw new DamagedDataException(name, size, "ends before its trailer");
        }
        this.trailer = SnapshotFormat.Trailer.read(read(trailerAt, SnapshotFormat.TRAILER_BYTES), name, trailerAt);
        if (trailer.chunkCount() != (trailerAt - headBytes) / ChunkRef.BYTES
                || (trailerAt - headBytes) % ChunkRef.BYTES != 0) {
            throw new DamagedDataException(
                    name, trailerAt, "has no room for its " + trailer.chunkCount() + " chunks, or too much");
        }
    }

    /**
     * Opens a file.
     *
     * @param name of the file in errors
     */
    static SnapshotFile open(Path file, String name) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        try {
            return new SnapshotFile(channel, name);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Whose it is. */
    public SnapshotName namespace() {
        return head.namespace();
    }

    /** What it is. */
    public SnapshotInfo info() {
        return new SnapshotInfo(
                trailer.id(),
                head.name(),
                trailer.received(),
                trailer.imageBytes(),
                trailer.chunkCount(),
                head.params(),
                trailer.contentDigest());
    }

    /** Pointers {@code from} up to {@code from + count}, or fewer at the end. */
    public List<ChunkRef> refs(long from, int count) throws IOException {
        int available = (int) Math.max(0, Math.min(count, trailer.chunkCount() - from));
        long at = headBytes + from * ChunkRef.BYTES;
        List<ChunkRef> refs = new ArrayList<>(available);
        if (available > 0) {
            BodyReader in = new BodyReader(read(at, available * ChunkRef.BYTES), name, at);
            while (in.remaining() > 0) {
                refs.add(ChunkRef.read(in));
            }
        }
        return refs;
    }

    /** The chunks of {@link #refs}. */
    public List<Fingerprint> fingerprints(long from, int count) throws IOException {
        return refs(from, count).stream().map(ChunkRef::fingerprint).toList();
    }

    /** Reads all pointers and checks their digest. */
    public void checkContent() throws IOException {
        ContentDigest digest = new ContentDigest(head.params());
        long imageBytes = 0;
        for (long from = 0; from < trailer.chunkCount(); from += PAGE) {
            for (ChunkRef ref : refs(from, PAGE)) {
                digest.add(ref);
                imageBytes += ref.length();
            }
        }
        if (!digest.finish().equals(trailer.contentDigest())) {
            throw new DamagedDataException(name, headBytes, "its chunk list has another digest");
        }
        if (imageBytes != trailer.imageBytes()) {
            throw new DamagedDataException(
                    name, headBytes, "its chunks have " + imageBytes + " bytes, not " + trailer.imageBytes());
        }
    }

    private ByteBuffer read(long at, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        try {
            DurableFiles.readFully(channel, bytes, at);
        } catch (EOFException e) {
            throw new DamagedDataException(name, at + bytes.position(), "ends too early");
        }
        return bytes.flip();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
