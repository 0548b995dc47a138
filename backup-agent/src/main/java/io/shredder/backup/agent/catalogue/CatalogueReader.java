// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.backup.agent.file.FileHeader;
import io.shredder.backup.agent.file.LostData;
import io.shredder.backup.bytes.BodyReader;
import io.shredder.chunk.DamagedDataException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * Reads the record of commits and deletions: all of it in order, in pieces, and then single records, so that what the
 * record says of a snapshot need not be kept in memory. Each record is checked by the digest at its end, and the one
 * before it. Single records may be read by any number of threads, while others are added.
 */
final class CatalogueReader implements Closeable {

    private static final int WINDOW_BYTES = 1 << 20;

    /** Most records are shorter: they are read at once. */
    private static final int FIRST_READ_BYTES = 1024;

    private final FileChannel channel;
    private final String name;
    private final byte[] headChain;
    private final int version;

    private CatalogueReader(FileChannel channel, String name, byte[] headChain, int version) {
        this.channel = channel;
        this.name = name;
        this.headChain = headChain;
        this.version = version;
    }

    /** Where the last whole record ends, and the digest there; what a crash left of another lies behind. */
    static final class End {
        private final byte[] chain;
        private final long offset;

        End(byte[] chain, long offset) {
            this.chain = chain;
            this.offset = offset;
        }

        byte[] chain() {
            return chain;
        }

        long offset() {
            return offset;
        }
    }

    /** Takes the records of a log that is read. */
    interface Visitor {
        /** In the order in which they were written; {@code at} is where in the file it begins. */
        void record(CatalogueRecord record, long at);
    }

    /**
     * Opens a repository's log and checks its header.
     *
     * @throws java.nio.file.NoSuchFileException if it isn't there
     */
    static CatalogueReader open(Path file, UUID repository) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        try {
            String name = String.valueOf(file.getFileName());
            ByteBuffer head = ByteBuffer.allocate((int) Math.min(FileHeader.BYTES, channel.size()));
            DurableFiles.readFully(channel, head, 0);
            int version = CatalogueFormat.checkHeader(head.flip(), repository, name);
            return new CatalogueReader(channel, name, CatalogueFormat.chain(new byte[0], head), version);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Whether the file is of a version to which nothing is added. */
    boolean isOld() {
        return version < CatalogueFormat.VERSION;
    }

    /**
     * Reads all records.
     *
     * @param visitor is given those before damage, too
     * @throws DamagedDataException if the log is not as it was written
     */
    End readAll(Visitor visitor) throws IOException {
        long size = channel.size();
        ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES).limit(0);
        byte[] chain = headChain;
        long at = FileHeader.BYTES;
        while (at < size) {
            long left = size - at;
            fill(window, at, left);
            if (left < CatalogueFormat.HEAD_BYTES
                    || restIsZero(window, at, size)
                    || CatalogueFormat.lostHead(window, at, left)) {
                return new End(chain, at);
            }
            int length = CatalogueFormat.recordBytes(window, left, name, at);
            if (length == 0) {
                return new End(chain, at);
            }
            byte[] after = CatalogueFormat.chain(chain, CatalogueFormat.withoutChain(window, length));
            if (!CatalogueFormat.statesChain(window, length, after)) {
                if (length == left) {
                    return new End(chain, at); // A crash lost some of its sectors.
                }
                throw new DamagedDataException(name, at, "this record, or one above it, is not as it was written");
            }
            visitor.record(parse(window, length, at), at);
            chain = after;
            at += length;
            window.position(window.position() + length);
        }
        return new End(chain, at);
    }

    /** Has the window, whose position stands for {@code at}, hold a whole record if the file does. */
    private void fill(ByteBuffer window, long at, long left) throws IOException {
        if (window.remaining() >= Math.min(left, CatalogueFormat.MAX_RECORD_BYTES)) {
            return;
        }
        long from = at + window.remaining();
        window.compact().limit((int) Math.min(window.capacity(), window.position() + at + left - from));
        read(window, from);
        window.flip();
    }

    private void read(ByteBuffer target, long at) throws IOException {
        int from = target.position();
        try {
            DurableFiles.readFully(channel, target, at);
        } catch (EOFException e) {
            throw new DamagedDataException(name, at + target.position() - from, "ends too early");
        } catch (IOException e) {
            throw LostData.named(e, name, at + target.position() - from);
        }
    }

    /**
     * Whether all from the window's position to the end of the file is zero: a file that had grown when the power was
     * lost.
     */
    private boolean restIsZero(ByteBuffer window, long at, long size) throws IOException {
        if (!isZero(window.duplicate())) {
            return false;
        }
        ByteBuffer piece = ByteBuffer.allocate(WINDOW_BYTES);
        for (long from = at + window.remaining(); from < size; from += piece.limit()) {
            piece.clear().limit((int) Math.min(piece.capacity(), size - from));
            read(piece, from);
            if (!isZero(piece.flip())) {
                return false;
            }
        }
        return true;
    }

    private static boolean isZero(ByteBuffer bytes) {
        while (bytes.hasRemaining()) {
            if (bytes.get() != 0) {
                return false;
            }
        }
        return true;
    }

    private CatalogueRecord parse(ByteBuffer bytes, int length, long at) throws DamagedDataException {
        ByteBuffer body = CatalogueFormat.body(bytes, length);
        BodyReader in = new BodyReader(body, name, at + CatalogueFormat.HEAD_BYTES + 1);
        return CatalogueRecord.read(CatalogueFormat.type(bytes), in);
    }

    /** Reads the record that begins there, as it was written. */
    CatalogueRecord at(long at) throws IOException {
        int before = at == FileHeader.BYTES ? 0 : CatalogueFormat.CHAIN_BYTES;
        long from = at - before;
        long size = channel.size();
        if (size < at + CatalogueFormat.HEAD_BYTES) {
            throw new DamagedDataException(name, size, "ends before a record that began at " + at);
        }
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(before + FIRST_READ_BYTES, size - from));
        read(bytes, from);
        bytes.flip().position(before);
        int length = CatalogueFormat.recordBytes(bytes, CatalogueFormat.MAX_RECORD_BYTES, name, at);
        if (length > bytes.remaining()) {
            bytes = ByteBuffer.allocate(before + length).put(bytes.rewind());
            read(bytes, from + bytes.position());
            bytes.flip().position(before);
        }
        byte[] chain = headChain;
        if (before > 0) {
            chain = new byte[before];
            bytes.get(0, chain);
        }
        byte[] after = CatalogueFormat.chain(chain, CatalogueFormat.withoutChain(bytes, length));
        if (!CatalogueFormat.statesChain(bytes, length, after)) {
            throw new DamagedDataException(name, at, "this record is not as it was written");
        }
        return parse(bytes, length, at);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
