// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.backup.agent.container.ContainerPosition;
import io.shredder.backup.agent.file.FileHeader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The end of the write-ahead log. Only the process that made a segment appends to it, so a crash always leads to a new
 * one, with a new key. One thread.
 */
final class LogSegment implements Closeable {

    private final IndexFolder.File file;
    private final Sealing sealing;
    private long end;
    private long commits;
    private @Nullable IOException failure;

    private LogSegment(IndexFolder.File file, Sealing sealing, long end) {
        this.file = file;
        this.sealing = sealing;
        this.end = end;
    }

    static String fileName(int number) {
        return String.format("%08x.log", number);
    }

    /** Length of an empty segment. */
    static final int HEADER_BYTES = IndexFiles.PREAMBLE_BYTES + Sealing.TAG_BYTES;

    /** Makes an empty segment, durably. It counts once the manifest names it. */
    static LogSegment create(IndexFiles files, int number) throws IOException {
        byte[] salt = IndexKey.newSalt();
        Sealing sealing = files.logSealing(salt, number);
        byte[] clear = files.preamble(FileHeader.INDEX_LOG_MAGIC, FileHeader.VERSION, number, salt)
                .array();
        byte[] header = java.util.Arrays.copyOf(clear, HEADER_BYTES);
        sealing.seal(0, 0, clear, new Sealing.Piece(Sealing.NOTHING, 0, 0), header, clear.length);
        IndexFolder.File file = files.folder().create(fileName(number));
        try {
            file.write(ByteBuffer.wrap(header), 0);
            file.force();
            files.folder().force();
            return new LogSegment(file, sealing, HEADER_BYTES);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /**
     * Appends a commit and makes it durable: all that was put by anybody since the last one, in one force. After a
     * failure the next commit is written to the same place under another number.
     */
    void append(LogCommit commit) throws IOException {
        if (failure != null) {
            throw new IOException("the index can't be written since an earlier error; restart the agent", failure);
        }
        commits++;
        try {
            long at = end;
            for (ByteBuffer record : split(commit)) {
                int length = record.remaining();
                file.write(record, at);
                at += length;
            }
            file.force();
            end = at;
        } catch (IOException e) {
            cutBack(e);
            throw e;
        }
    }

    private Iterable<ByteBuffer> split(LogCommit commit) {
        int size = commit.entries().size();
        int parts = Math.max(1, (size + LogRecord.MAX_ENTRIES - 1) / LogRecord.MAX_ENTRIES);
        return () -> java.util.stream.IntStream.range(0, parts)
                .mapToObj(part -> part(commit, part, part == parts - 1).encode(sealing))
                .iterator();
    }

    private LogRecord part(LogCommit commit, int part, boolean last) {
        int from = part * LogRecord.MAX_ENTRIES;
        int to = last ? commit.entries().size() : from + LogRecord.MAX_ENTRIES;
        List<IndexEntry> entries = commit.entries().subList(from, to);
        ContainerPosition covered = commit.covered();
        return new LogRecord(commits, part, last, new LogCommit(entries, covered));
    }

    private void cutBack(IOException cause) {
        try {
            file.truncate(end);
        } catch (IOException e) {
            cause.addSuppressed(e);
            failure = cause;
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
