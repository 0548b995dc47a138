// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.format;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;

/**
 * One chunk as if it were a file: the header of its file, if the format needs one, and its bytes, which are digested
 * on the way. Borrows the file's stream, which nobody else may use meanwhile. One thread.
 */
public final class ChunkInput {

    private final FSDataInputStream file;
    private final Path path;
    private final long offset;
    private final int length;
    private final byte[] header;
    private final PositionWatch watch;
    private final MessageDigest digest = DigestAlgorithm.SHA_256.newMessageDigest();
    private int digested;

    /**
     * @param file stays the caller's
     * @param path the file's, for errors
     * @param offset of the chunk's first byte in the file
     * @param length of the chunk in bytes; 0 only if its file is empty
     * @param watch told when a record's place is looked at
     */
    public ChunkInput(
            FSDataInputStream file, Path path, long offset, int length, InputHeader header, PositionWatch watch)
            throws IOException {
        this.file = file;
        this.path = path;
        this.offset = offset;
        this.length = length;
        this.header = header.read(file, path.toString());
        this.watch = watch;
    }

    /** Header and chunk, from the start. Streams of one chunk may be used in turn; closing one does nothing. */
    public FSInputStream open() {
        return new View();
    }

    /** Bytes of {@link #open}: those of the header and of the chunk. */
    public long viewLength() {
        return header.length + (long) length;
    }

    /** A key for records that show where they lie: whoever looks at its value is noticed. */
    public LongWritable offsetKey() {
        LongWritable key = new LongWritable();
        watch.watchOffset(key);
        return key;
    }

    /** Where the chunk lies in its file. Records that show it must show it as an {@link #offsetKey}. */
    public long offset() {
        return offset;
    }

    /** The chunk's length in bytes, without any header. */
    public int length() {
        return length;
    }

    /** Must be told whenever a record depends on where its chunk lies. */
    public PositionWatch watch() {
        return watch;
    }

    /** Name of the file, for errors. */
    @Override
    public String toString() {
        return path.toString();
    }

    /** The file's own name, without its folder. */
    String fileName() {
        return path.getName();
    }

    /** Reads what nobody has read; says whether the chunk's bytes are those that the manifest promised. */
    public boolean isAsPromised(Fingerprint content) throws IOException {
        View rest = new View();
        rest.seek(header.length + (long) digested);
        rest.transferTo(OutputStream.nullOutputStream());
        return Fingerprint.of(digest.digest()).equals(content);
    }

    private int read(int at, byte[] buffer, int start, int wanted) throws IOException {
        if (file.getPos() != offset + at) {
            file.seek(offset + at);
        }
        int read = file.read(buffer, start, wanted);
        if (read < 0) {
            throw new EOFException(path + " ends " + (length - at) + " bytes before the end of its chunk at " + offset
                    + ": it has shrunk since the job was submitted");
        }
        // Bytes that are read again count once; those that were skipped are left to isAsPromised.
        if (at <= digested && digested < at + read) {
            digest.update(buffer, start + digested - at, at + read - digested);
            digested = at + read;
        }
        return read;
    }

    private final class View extends FSInputStream {

        private long position;

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] buffer, int start, int wanted) throws IOException {
            if (wanted == 0) {
                return 0;
            }
            long left = viewLength() - position;
            if (left == 0) {
                return -1;
            }
            int read;
            if (position < header.length) {
                read = Math.min(wanted, header.length - (int) position);
                System.arraycopy(header, (int) position, buffer, start, read);
            } else {
                int at = (int) (position - header.length);
                read = ChunkInput.this.read(at, buffer, start, (int) Math.min(wanted, left));
            }
            position += read;
            return read;
        }

        @Override
        public void seek(long target) throws IOException {
            if (target < 0 || target > viewLength()) {
                throw new EOFException("no position " + target + " in " + viewLength() + " bytes of " + path);
            }
            position = target;
        }

        @Override
        public long getPos() {
            return position;
        }

        @Override
        public boolean seekToNewSource(long target) {
            return false;
        }
    }
}
