// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.backup.agent.file.FileHeader;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.function.Consumer;

/** Replays an index log and tells a torn tail, which a crash may leave, from damage. */
final class IndexLogReader {

    private static final int WINDOW_BYTES = 1 << 20;

    private final FileChannel channel;
    private final String file;
    private final long size;

    IndexLogReader(FileChannel channel, String file) throws IOException {
        this.channel = channel;
        this.file = file;
        this.size = channel.size();
    }

    /**
     * Hands over every whole batch in order.
     *
     * @return where the last whole batch ends; what follows is a torn tail
     * @throws DamagedDataException if a whole batch follows one that is not
     */
    long replay(FileHeader header, Consumer<IndexBatch> consumer) throws IOException {
        header.check(bytes(0, (int) Math.min(size, FileHeader.BYTES)), file);
        long at = FileHeader.BYTES;
        while (at < size) {
            try {
                consumer.accept(batch(at));
            } catch (DamagedDataException e) {
                refuseIfBatchFollows(at + 1, e);
                return at;
            }
            at += length(at);
        }
        return at;
    }

    private int length(long at) throws IOException {
        return IndexBatch.HEAD_BYTES + IndexBatch.tailBytes(bytes(at, IndexBatch.HEAD_BYTES), file, at);
    }

    private IndexBatch batch(long at) throws IOException {
        if (size - at < IndexBatch.HEAD_BYTES) {
            throw new DamagedDataException(file, size, "ends inside the head of a batch");
        }
        ByteBuffer head = bytes(at, IndexBatch.HEAD_BYTES);
        int tailBytes = IndexBatch.tailBytes(head, file, at);
        if (size - at - IndexBatch.HEAD_BYTES < tailBytes) {
            throw new DamagedDataException(file, size, "ends inside a batch");
        }
        return IndexBatch.read(head, bytes(at + IndexBatch.HEAD_BYTES, tailBytes), file, at);
    }

    private void refuseIfBatchFollows(long from, DamagedDataException damage) throws IOException {
        long at = from;
        while (size - at >= IndexBatch.HEAD_BYTES) {
            ByteBuffer window = bytes(at, (int) Math.min(size - at, WINDOW_BYTES));
            for (int i = 0; i + Integer.BYTES <= window.limit(); i++) {
                if (window.getInt(i) == IndexBatch.MAGIC && isWhole(at + i)) {
                    throw damage;
                }
            }
            at += window.limit() - (Integer.BYTES - 1);
        }
    }

    private boolean isWhole(long at) throws IOException {
        try {
            batch(at);
            return true;
        } catch (DamagedDataException e) {
            return false;
        }
    }

    private ByteBuffer bytes(long at, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        DurableFiles.readFully(channel, bytes, at);
        return bytes.flip();
    }
}
