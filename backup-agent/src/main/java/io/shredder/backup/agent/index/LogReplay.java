// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.backup.agent.file.FileHeader;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads one segment of the log again, and tells a torn tail, which a crash may leave, from damage. */
final class LogReplay {

    private static final int WINDOW_BYTES = 1 << 20;

    /** Receives every whole commit, in order. */
    interface Consumer {
        void commit(LogCommit commit) throws IOException;
    }

    private final IndexFolder.File file;
    private final String fileName;
    private final Sealing sealing;
    private final long size;

    private LogReplay(IndexFolder.File file, String fileName, Sealing sealing) throws IOException {
        this.file = file;
        this.fileName = fileName;
        this.sealing = sealing;
        this.size = file.size();
    }

    /**
     * Replays a segment.
     *
     * @param last whether it is the log's last segment, which may end in a torn tail; the tail is cut off, durably
     * @throws DamagedDataException if anything else is not as it was written
     */
    static void replay(IndexFiles files, int number, boolean last, Consumer consumer) throws IOException {
        String name = LogSegment.fileName(number);
        try (IndexFolder.File file = files.open(name)) {
            byte[] header = IndexFiles.read(file, name, 0, LogSegment.HEADER_BYTES);
            byte[] salt = files.readPreamble(
                    ByteBuffer.wrap(header), FileHeader.INDEX_LOG_MAGIC, FileHeader.VERSION, number, name);
            Sealing sealing = files.logSealing(salt, number);
            byte[] clear = Arrays.copyOf(header, IndexFiles.PREAMBLE_BYTES);
            Sealing.Piece tag = new Sealing.Piece(header, clear.length, Sealing.TAG_BYTES);
            if (!sealing.open(0, 0, clear, tag, new byte[0], 0)) {
                throw new DamagedDataException(
                        IndexFiles.name(name), FileHeader.BYTES, "the header is not as it was sealed");
            }
            long end = new LogReplay(file, name, sealing).replay(last, consumer);
            if (end < file.size()) {
                file.truncate(end);
                file.force();
            }
        }
    }

    /** Returns where the last whole commit ends. */
    private long replay(boolean mayBeTorn, Consumer consumer) throws IOException {
        long commitEnd = LogSegment.HEADER_BYTES;
        long lastCommit = 0;
        int nextPart = 0;
        List<IndexEntry> entries = new ArrayList<>();
        long at = commitEnd;
        try {
            while (at < size) {
                byte[] bytes = record(at);
                LogRecord record = LogRecord.read(bytes, sealing, IndexFiles.name(fileName), at);
                boolean follows = nextPart == 0 ? record.commit() > lastCommit : record.commit() == lastCommit;
                if (!follows || record.part() != nextPart) {
                    throw new DamagedDataException(IndexFiles.name(fileName), at + 8, "records are out of order");
                }
                at += bytes.length;
                lastCommit = record.commit();
                nextPart = record.last() ? 0 : nextPart + 1;
                entries.addAll(record.body().entries());
                if (record.last()) {
                    consumer.commit(new LogCommit(entries, record.body().covered()));
                    entries = new ArrayList<>();
                    commitEnd = at;
                }
            }
            if (nextPart != 0) {
                throw new DamagedDataException(IndexFiles.name(fileName), size, "ends inside a commit");
            }
        } catch (DamagedDataException e) {
            if (!mayBeTorn || laterCommitBegins(at + 1)) {
                throw e;
            }
        }
        return commitEnd;
    }

    private byte[] record(long at) throws IOException {
        String name = IndexFiles.name(fileName);
        if (size - at < LogRecord.HEAD_BYTES) {
            throw new DamagedDataException(name, size, "ends inside the head of a record");
        }
        int length = LogRecord.length(IndexFiles.read(file, fileName, at, LogRecord.HEAD_BYTES), name, at);
        if (size - at < length) {
            throw new DamagedDataException(name, size, "ends inside a record");
        }
        return IndexFiles.read(file, fileName, at, length);
    }

    /**
     * A commit is only begun when the one before it is on disk: the first part of one proves that what is before it was
     * whole.
     */
    private boolean laterCommitBegins(long from) throws IOException {
        long at = from;
        while (size - at >= LogRecord.HEAD_BYTES) {
            int length = (int) Math.min(size - at, WINDOW_BYTES);
            ByteBuffer window = ByteBuffer.wrap(IndexFiles.read(file, fileName, at, length));
            for (int i = 0; i + Integer.BYTES <= length; i++) {
                if (window.getInt(i) == LogRecord.MAGIC && beginsCommit(at + i)) {
                    return true;
                }
            }
            at += length - (Integer.BYTES - 1);
        }
        return false;
    }

    private boolean beginsCommit(long at) throws IOException {
        try {
            LogRecord record = LogRecord.read(record(at), sealing, IndexFiles.name(fileName), at);
            return record.part() == 0;
        } catch (DamagedDataException e) {
            return false;
        }
    }
}
