// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerPosition;
import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.backup.agent.file.FileHeader;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Simple and crash-safe: all entries in memory, and a log of batches, one a commit, replayed when opened. About 120 bytes of memory a
 * chunk, so good for some ten million chunks; the interface is where a larger index comes in.
 */
public final class LogIndex implements FingerprintIndex {

    private final Map<Fingerprint, ChunkLocation> entries = new ConcurrentHashMap<>();
    private final List<IndexBatch.Entry> pending = new ArrayList<>();
    private final FileChannel channel;
    private volatile ContainerPosition covered = ContainerPosition.START;
    private long end = FileHeader.BYTES;
    private @Nullable IOException failure;

    private LogIndex(FileChannel channel) {
        this.channel = channel;
    }

    /** Writes an empty log, durably. The file must not exist. */
    public static void create(Path file, UUID repository) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
            DurableFiles.writeFully(channel, header(repository).encode(), 0);
            channel.force(true);
        }
    }

    /**
     * Replays a log and cuts off a torn tail.
     *
     * @throws io.shredder.chunk.DamagedDataException if it is damaged elsewhere
     */
    public static LogIndex open(Path file, UUID repository) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            LogIndex index = new LogIndex(channel);
            index.end = new IndexLogReader(channel, "index/" + file.getFileName())
                    .replay(header(repository), index::replay);
            if (channel.size() > index.end) {
                channel.truncate(index.end);
                channel.force(true);
            }
            return index;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static FileHeader header(UUID repository) {
        return new FileHeader(FileHeader.INDEX_MAGIC, FileHeader.VERSION, 0, repository);
    }

    private void replay(IndexBatch batch) {
        for (IndexBatch.Entry entry : batch.entries()) {
            if (entry.isRemoval()) {
                entries.remove(entry.fingerprint());
            } else {
                entries.put(entry.fingerprint(), entry.location());
            }
        }
        covered = batch.covered();
    }

    @Override
    public Optional<ChunkLocation> find(Fingerprint fingerprint) {
        return Optional.ofNullable(entries.get(fingerprint));
    }

    @Override
    public List<Optional<ChunkLocation>> findAll(List<Fingerprint> fingerprints) {
        return fingerprints.stream().map(this::find).toList();
    }

    @Override
    public void put(Fingerprint fingerprint, ChunkLocation location) {
        entries.put(fingerprint, location);
        pending.add(new IndexBatch.Entry(fingerprint, location));
    }

    @Override
    public void remove(Fingerprint fingerprint) {
        if (entries.remove(fingerprint) != null) {
            pending.add(IndexBatch.Entry.removal(fingerprint));
        }
    }

    /** Large commits are written as several batches; all but the last keep the old position, so any prefix of them is valid. */
    @Override
    public void commit(ContainerPosition position) throws IOException {
        if (failure != null) {
            throw new IOException("the index can't be written since an earlier error; restart the agent", failure);
        }
        if (pending.isEmpty() && position.equals(covered)) {
            return;
        }
        long at = end;
        try {
            int from = 0;
            do {
                int to = Math.min(pending.size(), from + IndexBatch.MAX_ENTRIES);
                ContainerPosition upTo = to == pending.size() ? position : covered;
                at = append(new IndexBatch(pending.subList(from, to), upTo), at);
                from = to;
            } while (from < pending.size());
            channel.force(false);
        } catch (IOException e) {
            cutBack(e);
            throw e;
        }
        end = at;
        covered = position;
        pending.clear();
    }

    private long append(IndexBatch batch, long at) throws IOException {
        var bytes = batch.encode();
        int length = bytes.remaining();
        DurableFiles.writeFully(channel, bytes, at);
        return at + length;
    }

    /** The next commit writes the same bytes again from the same place, so that what a failed force lost is written, too. */
    private void cutBack(IOException cause) {
        try {
            channel.truncate(end);
        } catch (IOException e) {
            cause.addSuppressed(e);
            failure = cause;
        }
    }

    @Override
    public ContainerPosition covered() {
        return covered;
    }

    @Override
    public long size() {
        return entries.size();
    }

    @Override
    public void forEach(BiConsumer<Fingerprint, ChunkLocation> visitor) {
        entries.forEach(visitor);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
