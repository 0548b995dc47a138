// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.posix;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What Java 17 can't ask of a file or block device: where its holes are, to make one, to keep room, a device's length,
 * and to read ahead. For 64-bit Linux: the numbers are those of its {@code fcntl.h}, {@code falloc.h} and
 * {@code unistd.h}, the same on x86-64 and AArch64. One thread, but for {@link #readAhead} and {@link #reserve}.
 */
public final class PosixFile implements Closeable {

    private static final int READ_ONLY_CLOSE_ON_EXEC = 0x80000;
    private static final int READ_WRITE_CLOSE_ON_EXEC = 0x80002;
    private static final int READ_ONLY_CLOSE_ON_EXEC_EXCLUSIVE = 0x80080;
    private static final int KEEP_SIZE = 1;
    private static final int KEEP_SIZE_PUNCH_HOLE = 3;
    private static final int SEEK_END = 2;
    private static final int SEEK_DATA = 3;
    private static final int SEEK_HOLE = 4;
    private static final int NO_SUCH_FILE = 2;
    private static final int NO_SUCH_DATA = 6;
    private static final int BUSY = 16;
    private static final int INVALID = 22;
    private static final int NO_SUCH_CALL = 38;
    private static final int NOT_SUPPORTED = 95;
    private static final int ADVICE_WILL_NEED = 3;
    private static final int WRITE_AND_WAIT = 7;

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

        static native int sync_file_range(int descriptor, long offset, long bytes, int flags) throws LastErrorException;

        static native int posix_fadvise(int descriptor, long offset, long bytes, int advice);

        static native int close(int descriptor);
    }

    private PosixFile(Path path, int descriptor) {
        this.path = path;
        this.descriptor = descriptor;
    }

    /** Opens a file or device that exists, to be read. */
    public static PosixFile openToRead(Path path) throws IOException {
        return open(path, READ_ONLY_CLOSE_ON_EXEC);
    }

    /** Opens a file that exists, to be written. */
    public static PosixFile openToWrite(Path path) throws IOException {
        return open(path, READ_WRITE_CLOSE_ON_EXEC);
    }

    /**
     * Claims a block device: until it is closed no file system of it, nor of a part of it, can be mounted.
     *
     * @return empty if the kernel lets something else have it, or a part of it
     */
    public static Optional<PosixFile> claim(Path device) throws IOException {
        try {
            return Optional.of(open(device, READ_ONLY_CLOSE_ON_EXEC_EXCLUSIVE));
        } catch (IOException e) {
            if (e.getCause() instanceof LastErrorException why && why.getErrorCode() == BUSY) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static PosixFile open(Path path, int flags) throws IOException {
        byte[] name = path.toAbsolutePath().toString().getBytes(fileNames());
        try {
            return new PosixFile(path, C.open(Arrays.copyOf(name, name.length + 1), flags));
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

    /** By which the very file that is open can be opened again in this process, whatever has its name by now. */
    public Path opened() {
        return Path.of("/proc/self/fd", Integer.toString(descriptor));
    }

    /** Length of the file, or of the device. */
    public long bytes() throws IOException {
        try {
            return C.lseek(descriptor, 0, SEEK_END);
        } catch (LastErrorException e) {
            throw failed("find the end of", e);
        }
    }

    /** The first byte from {@code from} on outside holes; {@code from} itself if the file system knows no holes. */
    public OptionalLong nextData(long from) throws IOException {
        try {
            return OptionalLong.of(C.lseek(descriptor, from, SEEK_DATA));
        } catch (LastErrorException e) {
            if (e.getErrorCode() == NO_SUCH_DATA) {
                return OptionalLong.empty();
            } else if (e.getErrorCode() == INVALID) {
                return OptionalLong.of(from);
            }
            throw failed("find the data of", e);
        }
    }

    /** The first byte from {@code from} on in a hole; the length if there is none, or none that is known. */
    public long nextHole(long from) throws IOException {
        try {
            return C.lseek(descriptor, from, SEEK_HOLE);
        } catch (LastErrorException e) {
            if (e.getErrorCode() == NO_SUCH_DATA || e.getErrorCode() == INVALID) {
                return bytes();
            }
            throw failed("find the holes of", e);
        }
    }

    /**
     * Gives these bytes back to the file system; they read as zeros from now on.
     *
     * @return false if the file system can't: nothing has changed then
     */
    public boolean makeHole(long from, long bytes) throws IOException {
        try {
            var unused = C.fallocate(descriptor, KEEP_SIZE_PUNCH_HOLE, from, bytes);
            return true;
        } catch (LastErrorException e) {
            if (e.getErrorCode() == NOT_SUPPORTED || e.getErrorCode() == NO_SUCH_CALL) {
                return false;
            }
            throw failed("make a hole in", e);
        }
    }

    /**
     * Has the file system find room for these bytes, so that writing them can't fail for want of it; its length stays.
     * Any number of threads.
     *
     * @return false if the file system can't, or has no room
     */
    public boolean reserve(long from, long bytes) {
        try {
            var unused = C.fallocate(descriptor, KEEP_SIZE, from, bytes);
            return true;
        } catch (LastErrorException e) {
            return false;
        }
    }

    /**
     * Has the kernel write these bytes to the disk and waits for that, so that whoever forces the file soon need not.
     * It makes nothing durable, and says nothing of errors: forcing does, on other descriptors, too.
     */
    public void writeOut(long offset, long bytes) {
        try {
            var unused = C.sync_file_range(descriptor, offset, bytes, WRITE_AND_WAIT);
        } catch (LastErrorException e) {
            // Whoever forces the file gets it.
        }
    }

    /** Has the kernel read these bytes soon; a hint, which it may ignore. */
    public void readAhead(long offset, long bytes) {
        var unused = C.posix_fadvise(descriptor, offset, bytes, ADVICE_WILL_NEED);
    }

    private IOException failed(String what, LastErrorException e) {
        return new IOException("can't " + what + " " + path + ": " + e.getMessage(), e);
    }

    @Override
    public void close() {
        var unused = C.close(descriptor);
    }
}
