// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import io.shredder.backup.agent.file.DurableFiles;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * The record of commits and deletions, a file of the agent's own disk that only grows:
 * {@code docs/formats/catalogue.md}. Each record ends with a digest of all before it. Not safe for several threads, but
 * that {@link #at} may be called by any beside.
 */
final class CatalogueLog implements Closeable {

    private static final int WRITE_BYTES = 1 << 16;

    private final FileChannel channel;
    private final CatalogueReader reader;
    private byte[] chain;
    private long end;

    private CatalogueLog(FileChannel channel, CatalogueReader reader, CatalogueReader.End end) {
        this.channel = channel;
        this.reader = reader;
        this.chain = end.chain();
        this.end = end.offset();
    }

    /**
     * Opens the log that is there, and cuts off what a crash left of its last record.
     *
     * @param visitor is given the records, those before damage, too
     * @throws io.shredder.chunk.DamagedDataException if it is not as it was written; nothing is changed then
     * @throws java.nio.file.NoSuchFileException if it isn't there
     */
    static CatalogueLog open(Path file, UUID repository, CatalogueReader.Visitor visitor) throws IOException {
        CatalogueReader reader = CatalogueReader.open(file, repository);
        try {
            return open(file, reader, reader.readAll(visitor));
        } catch (IOException | RuntimeException e) {
            reader.close();
            throw e;
        }
    }

    private static CatalogueLog open(Path file, CatalogueReader reader, CatalogueReader.End end) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        try {
            if (channel.size() > end.offset()) {
                channel.truncate(end.offset());
                channel.force(true);
            }
            return new CatalogueLog(channel, reader, end);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** Adds the first records of a log. */
    interface Beginning {
        /** Writes a record; returns where in the file it begins. */
        interface Writer {
            long write(CatalogueRecord record) throws IOException;
        }

        void write(Writer log) throws IOException;
    }

    /** Makes a log that begins with some records, instead of one that is there: old whole or new whole, durably. */
    static CatalogueLog create(Path file, UUID repository, Beginning beginning) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        CatalogueReader.End end;
        try (FileChannel channel = FileChannel.open(
                        temporary,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING);
                OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), WRITE_BYTES)) {
            ByteBuffer head = CatalogueFormat.header(repository).encode();
            Stream written = new Stream(out, CatalogueFormat.chain(new byte[0], head));
            written.put(head);
            beginning.write(written);
            out.flush();
            channel.force(true);
            end = new CatalogueReader.End(written.chain, written.end);
        }
        CatalogueReader reader = CatalogueReader.open(temporary, repository);
        try {
            CatalogueLog log = open(temporary, reader, end);
            DurableFiles.publish(temporary, file);
            return log;
        } catch (IOException e) {
            reader.close();
            throw e;
        }
    }

    /** A log that is written in one go. */
    private static final class Stream implements Beginning.Writer {
        private final OutputStream out;
        private byte[] chain;
        private long end;

        Stream(OutputStream out, byte[] chain) {
            this.out = out;
            this.chain = chain;
        }

        void put(ByteBuffer bytes) throws IOException {
            out.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
            end += bytes.remaining();
        }

        @Override
        public long write(CatalogueRecord record) throws IOException {
            long at = end;
            ByteBuffer bytes = CatalogueFormat.encode(record, chain);
            chain = chainOf(bytes);
            put(bytes);
            return at;
        }
    }

    private static byte[] chainOf(ByteBuffer record) {
        byte[] chain = new byte[CatalogueFormat.CHAIN_BYTES];
        record.get(record.limit() - chain.length, chain);
        return chain;
    }

    /** Whether it is of a version to which nothing is added: it is to be written anew. */
    boolean isOld() {
        return reader.isOld();
    }

    /** Reads the record that begins there. */
    CatalogueRecord at(long at) throws IOException {
        return reader.at(at);
    }

    /** Appends a record; it is on disk when this returns, and begins where that says. If it fails, it is not there. */
    long append(CatalogueRecord record) throws IOException {
        long at = end;
        ByteBuffer bytes = CatalogueFormat.encode(record, chain);
        byte[] after = chainOf(bytes);
        try {
            DurableFiles.writeFully(channel, bytes, at);
            channel.force(true);
        } catch (IOException e) {
            channel.truncate(at);
            throw e;
        }
        end = at + bytes.limit();
        chain = after;
        return at;
    }

    @Override
    public void close() throws IOException {
        try (reader) {
            channel.close();
        }
    }
}
