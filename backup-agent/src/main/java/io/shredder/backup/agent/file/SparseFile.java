// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.file;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A file whose blocks can be given back to the file system where it lies: what Java 17 has no word for. 64-bit Linux; the numbers are those of its
 * {@code fcntl.h} and {@code falloc.h}, the same on x86-64 and AArch64. One thread.
 */
public final class SparseFile implements Closeable {

    /** Holes begin and end at multiples of this; larger blocks are given back where they are covered. */
    public static final int BLOCK_BYTES = 4096;

    private static final int READ_WRITE_CLOSE_ON_EXEC = 0x80002;
    private static final int KEEP_SIZE_PUNCH_HOLE = 3;
    private static final int SEEK_DATA = 3;
    private static final int SEEK_HOLE = 4;
    private static final int NO_SUCH_FILE = 2;
    private static final int NO_SUCH_DATA = 6;
    private static final int INVALID = 22;
    private static final int NO_SUCH_CALL = 38;
    private static final int NOT_SUPPORTED = 95;

    private final Path path;
    private final int descriptor;

    /** The functions of the C library, by their own names. */
    private static final class C {

        static {
            Native.register(C.class, "c");
        }

        private C() {}

        static native int open(byte[] path, int flags) throws LastErrorException;

        static native long lseek(int descriptor, long offset, int whence) throws LastErrorException;

        static native int fallocate(int descriptor, int mode, long offset, long bytes) throws LastErrorException;

        static native int close(int descriptor);
    }

    private SparseFile(Path path, int descriptor) {
        this.path = path;
        this.descriptor = descriptor;
    }

    /** Whether files beside this one, which is made for the trial and gone afterwards, can have holes made. */
    public static boolean works(Path trial) throws IOException {
        try {
            Files.write(trial, new byte[2 * BLOCK_BYTES]);
            try (SparseFile file = open(trial)) {
                return file.release(new Span(0, BLOCK_BYTES));
            }
        } catch (LinkageError e) {
            return false;
        } finally {
            Files.deleteIfExists(trial);
        }
    }

    /** Opens a file that exists, to be written. */
    public static SparseFile open(Path path) throws IOException {
        byte[] name = path.toAbsolutePath().toString().getBytes(fileNames());
        try {
            return new SparseFile(path, C.open(Arrays.copyOf(name, name.length + 1), READ_WRITE_CLOSE_ON_EXEC));
        } catch (LastErrorException e) {
            if (e.getErrorCode() == NO_SUCH_FILE) {
                throw new NoSuchFileException(path.toString());
            }
            throw new IOException("can't open " + path + ": " + e.getMessage(), e);
        }
    }

    private static Charset fileNames() {
        return Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
    }

    /**
     * Gives these bytes back; they read as zeros from now on.
     *
     * @return false if the file system can't: nothing has changed then
     */
    public boolean release(Span bytes) throws IOException {
        try {
            var unused = C.fallocate(descriptor, KEEP_SIZE_PUNCH_HOLE, bytes.from(), bytes.bytes());
            return true;
        } catch (LastErrorException e) {
            if (e.getErrorCode() == NOT_SUPPORTED || e.getErrorCode() == NO_SUCH_CALL) {
                return false;
            }
            throw failed("make a hole in", e);
        }
    }

    /** What of the first {@code length} bytes is not in a hole, ascending; all, if the file system knows of no holes. */
    public List<Span> data(long length) throws IOException {
        List<Span> spans = new ArrayList<>();
        long at = 0;
        while (at < length) {
            long from = seek(at, SEEK_DATA, length);
            long to = from >= length ? length : Math.min(length, seek(from, SEEK_HOLE, length));
            if (from < to) {
                spans.add(new Span(from, to));
            }
            at = Math.max(to, from);
        }
        return spans;
    }

    private long seek(long from, int what, long otherwise) throws IOException {
        try {
            return C.lseek(descriptor, from, what);
        } catch (LastErrorException e) {
            if (e.getErrorCode() == NO_SUCH_DATA) {
                return otherwise;
            } else if (e.getErrorCode() == INVALID) {
                return what == SEEK_DATA ? from : otherwise;
            }
            throw failed("find the holes of", e);
        }
    }

    private IOException failed(String what, LastErrorException e) {
        return new IOException("can't " + what + " " + path + ": " + e.getMessage(), e);
    }

    @Override
    public void close() {
        var unused = C.close(descriptor);
    }
}
