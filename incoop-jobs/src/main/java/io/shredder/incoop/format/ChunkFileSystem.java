// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.format;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BufferedFSInputStream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/**
 * Shows chunks as files, read-only: InputFormats open files by their paths, so a chunk that is to look like one needs a
 * path. Chunks are shown and hidden by number, for as long as they are read; instances hold nothing, so Hadoop may
 * cache them. Safe for use by several threads, each with chunks of its own.
 */
public final class ChunkFileSystem extends FileSystem {

    private static final String SCHEME = "incoop-chunk";
    private static final URI ROOT = URI.create(SCHEME + ":///");
    private static final int BUFFER_BYTES = 64 << 10;

    private static final ConcurrentMap<String, ChunkInput> SHOWN = new ConcurrentHashMap<>();
    private static final AtomicLong NEXT_NUMBER = new AtomicLong();

    /** Shows a chunk until {@link #hide}; the path ends with the name of the chunk's file. */
    static Path show(ChunkInput chunk) {
        String number = Long.toString(NEXT_NUMBER.getAndIncrement());
        SHOWN.put(number, chunk);
        return new Path(SCHEME, null, "/" + number + "/" + chunk.fileName());
    }

    static void hide(Path path) {
        SHOWN.remove(number(path));
    }

    /** Lets what is opened with {@code conf} find shown chunks. */
    static void configure(Configuration conf) {
        conf.setClass("fs." + SCHEME + ".impl", ChunkFileSystem.class, FileSystem.class);
    }

    private static String number(Path path) {
        Path parent = path.getParent();
        return parent == null ? "" : parent.getName();
    }

    private static ChunkInput chunk(Path path) throws FileNotFoundException {
        ChunkInput chunk = SHOWN.get(number(path));
        if (chunk == null) {
            throw new FileNotFoundException(path + ": no chunk is shown there: it is for the chunk's reader only");
        }
        return chunk;
    }

    @Override
    public String getScheme() {
        return SCHEME;
    }

    @Override
    public URI getUri() {
        return ROOT;
    }

    @Override
    public FSDataInputStream open(Path path, int bufferBytes) throws IOException {
        return new FSDataInputStream(
                new BufferedFSInputStream(chunk(path).open(), Math.max(bufferBytes, BUFFER_BYTES)));
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        long length = chunk(path).viewLength();
        boolean directory = false;
        int replication = 1;
        long modified = 0;
        return new FileStatus(length, directory, replication, length, modified, makeQualified(path));
    }

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        return new FileStatus[] {getFileStatus(path)};
    }

    @Override
    public Path getWorkingDirectory() {
        return new Path(ROOT);
    }

    @Override
    public void setWorkingDirectory(Path folder) {
        // Chunks have absolute paths.
    }

    @Override
    public FSDataOutputStream create(
            Path path,
            FsPermission permission,
            boolean overwrite,
            int bufferBytes,
            short replication,
            long blockBytes,
            Progressable progress)
            throws IOException {
        throw readOnly(path);
    }

    @Override
    public FSDataOutputStream append(Path path, int bufferBytes, Progressable progress) throws IOException {
        throw readOnly(path);
    }

    @Override
    public boolean rename(Path source, Path target) throws IOException {
        throw readOnly(source);
    }

    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
        throw readOnly(path);
    }

    @Override
    public boolean mkdirs(Path path, FsPermission permission) throws IOException {
        throw readOnly(path);
    }

    private static IOException readOnly(Path path) {
        return new IOException(path + " is a view of a chunk, which can only be read");
    }
}
