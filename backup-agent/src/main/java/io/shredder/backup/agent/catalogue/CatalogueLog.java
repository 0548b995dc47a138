// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.backup.agent.file.FileHeader;
import io.shredder.backup.protocol.BodyReader;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.DigestAlgorithm;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Collection;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * The record of commits and deletions, a file of the agent's own disk that only grows: {@code docs/formats/catalogue.md}. Each record ends with a digest
 * of all before it. Not safe for several threads.
 */
final class CatalogueLog implements Closeable {

    private static final int RECORD_MAGIC = 0x52454321; // "REC!"
    private static final int HEAD_BYTES = 12;
    private static final int CHAIN_BYTES = 16;
    private static final int MAX_BODY_BYTES = 1 << 16;

    private final FileChannel channel;
    private byte[] chain;
    private long end;

    private CatalogueLog(FileChannel channel, byte[] chain, long end) {
        this.channel = channel;
        this.chain = chain;
        this.end = end;
    }

    /** Where the last whole record ends, and the digest there; what a crash left of another lies behind. */
    private static final class End {
        private final byte[] chain;
        private final long offset;

        End(byte[] chain, long offset) {
            this.chain = chain;
            this.offset = offset;
        }
    }

    /** Takes the records of a log that is read. */
    interface Visitor {
        /** In the order in which they were written. */
        void record(CatalogueRecord record);
    }

    /**
     * Opens the log that is there, and cuts off what a crash left of its last record.
     *
     * @param visitor is given the records, those before damage, too
     * @throws DamagedDataException if it is not as it was written; nothing is changed then
     * @throws java.nio.file.NoSuchFileException if it isn't there
     */
    static CatalogueLog open(Path file, UUID repository, Visitor visitor) throws IOException {
        End whole = read(file, repository, visitor);
        FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        try {
            if (channel.size() > whole.offset) {
                channel.truncate(whole.offset);
                channel.force(true);
            }
            return new CatalogueLog(channel, whole.chain, whole.offset);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** Makes a log that begins with these records, instead of one that is there: old whole or new whole, durably. */
    static CatalogueLog create(Path file, UUID repository, Collection<? extends CatalogueRecord> records)
            throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        FileChannel channel = FileChannel.open(
                temporary, StandardOpenOption.WRITE, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
        try {
            ByteBuffer head = header(repository).encode();
            byte[] chain = digest(new byte[0], head.duplicate());
            long end = head.remaining();
            DurableFiles.writeFully(channel, head, 0);
            CatalogueLog log = new CatalogueLog(channel, chain, end);
            for (CatalogueRecord record : records) {
                log.write(record);
            }
            channel.force(true);
            DurableFiles.publish(temporary, file);
            return log;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static FileHeader header(UUID repository) {
        return new FileHeader(FileHeader.CATALOGUE_MAGIC, FileHeader.VERSION, 0, repository);
    }

    private static End read(Path file, UUID repository, Visitor visitor) throws IOException {
        String name = String.valueOf(file.getFileName());
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
        header(repository).check(bytes, name);
        byte[] chain = digest(new byte[0], bytes.slice(0, FileHeader.BYTES));
        bytes.position(FileHeader.BYTES);
        while (bytes.hasRemaining()) {
            int at = bytes.position();
            int length = recordBytes(bytes, name);
            if (length == 0) {
                return new End(chain, at);
            }
            int chainAt = at + length - CHAIN_BYTES;
            byte[] after = digest(chain, bytes.slice(at, chainAt - at));
            if (!ByteBuffer.wrap(after).equals(bytes.slice(chainAt, CHAIN_BYTES))) {
                if (at + length == bytes.limit()) {
                    return new End(chain, at); // A crash lost some of its sectors.
                }
                throw new DamagedDataException(name, at, "this record, or one above it, is not as it was written");
            }
            int bodyAt = at + HEAD_BYTES + 1;
            BodyReader body = new BodyReader(bytes.slice(bodyAt, chainAt - bodyAt), name, bodyAt);
            visitor.record(CatalogueRecord.read(Byte.toUnsignedInt(bytes.get(bodyAt - 1)), body));
            chain = after;
            bytes.position(at + length);
        }
        return new End(chain, bytes.limit());
    }

    /** The length of the record at the position; 0 if a crash left only a part of it. */
    private static int recordBytes(ByteBuffer bytes, String name) throws DamagedDataException {
        int at = bytes.position();
        if (bytes.remaining() < HEAD_BYTES || isZero(bytes.slice())) {
            return 0;
        }
        int length = bytes.getInt(at + 4);
        if (bytes.getInt(at) != RECORD_MAGIC || bytes.getInt(at + 8) != crc(bytes.slice(at, 8))) {
            throw new DamagedDataException(name, at, "no record begins here");
        }
        if (length < HEAD_BYTES + 1 + CHAIN_BYTES || length > MAX_BODY_BYTES) {
            throw new DamagedDataException(name, at + 4, "a record of " + length + " bytes");
        }
        return length > bytes.remaining() ? 0 : length;
    }

    private static boolean isZero(ByteBuffer bytes) {
        while (bytes.hasRemaining()) {
            if (bytes.get() != 0) {
                return false;
            }
        }
        return true;
    }

    /** Appends a record; it is on disk when this returns. If it fails, it is not there. */
    void append(CatalogueRecord record) throws IOException {
        long before = end;
        byte[] chainBefore = chain;
        try {
            write(record);
            channel.force(true);
        } catch (IOException e) {
            end = before;
            chain = chainBefore;
            channel.truncate(before);
            throw e;
        }
    }

    private void write(CatalogueRecord record) throws IOException {
        int length = HEAD_BYTES + 1 + record.bodyBytes() + CHAIN_BYTES;
        ByteBuffer bytes = ByteBuffer.allocate(length);
        bytes.putInt(RECORD_MAGIC).putInt(length).putInt(crc(bytes.slice(0, 8)));
        bytes.put((byte) record.type());
        record.write(bytes);
        byte[] after = digest(chain, bytes.slice(0, length - CHAIN_BYTES));
        bytes.put(after);
        DurableFiles.writeFully(channel, bytes.flip(), end);
        chain = after;
        end += length;
    }

    private static byte[] digest(byte[] before, ByteBuffer bytes) {
        MessageDigest digest = DigestAlgorithm.SHA_256.newMessageDigest();
        digest.update(before);
        digest.update(bytes);
        return Arrays.copyOf(digest.digest(), CHAIN_BYTES);
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
