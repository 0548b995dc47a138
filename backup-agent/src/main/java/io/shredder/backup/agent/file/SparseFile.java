// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.file;

import io.shredder.backup.posix.PosixFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A file whose blocks can be given back to the file system where it lies. One thread. */
public final class SparseFile implements Closeable {

    /** Holes begin and end at multiples of this; larger blocks are given back where they are covered. */
    public static final int BLOCK_BYTES = 4096;

    private final PosixFile file;

    private SparseFile(PosixFile file) {
        this.file = file;
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
        return new SparseFile(PosixFile.openToWrite(path));
    }

    /**
     * Gives these bytes back; they read as zeros from now on.
     *
     * @return false if the file system can't: nothing has changed then
     */
    public boolean release(Span bytes) throws IOException {
        return file.makeHole(bytes.from(), bytes.bytes());
    }

    /**
     * What of the first {@code length} bytes is not in a hole, ascending; all, if the file system knows of no holes.
     */
    public List<Span> data(long length) throws IOException {
        long end = Math.min(length, file.bytes());
        List<Span> spans = new ArrayList<>();
        long at = 0;
        while (at < end) {
            long from = Math.min(end, file.nextData(at).orElse(end));
            long to = from == end ? end : Math.min(end, file.nextHole(from));
            if (to <= from) {
                return spans;
            }
            spans.add(new Span(from, to));
            at = to;
        }
        return spans;
    }

    @Override
    public void close() {
        file.close();
    }
}
