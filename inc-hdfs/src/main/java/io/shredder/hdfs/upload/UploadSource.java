// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.upload;

import io.shredder.chunk.ChunkingParams;
import io.shredder.engine.ChunkSink;
import io.shredder.engine.Shredder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.PathPermissionException;
import org.apache.hadoop.fs.shell.PathData;

/** Where an upload's bytes come from. */
public interface UploadSource {

    /** As the user named it. */
    String name();

    /** In bytes; empty if only reading tells. */
    OptionalLong length();

    /** Gives all bytes to {@code sink}, cut by {@code engine}, without digests: cuts move before digesting. */
    void chunk(Shredder engine, ChunkingParams params, ChunkSink sink) throws IOException;

    /**
     * A local file, pipe or block device. One that shrinks or grows while it is read makes the reading fail. Where
     * Hadoop has left checksums beside it, as it does for what it writes, they are checked.
     *
     * @throws PathPermissionException if this user may not read it
     */
    static UploadSource ofFile(PathData source) throws IOException {
        Path file = source.toFile().toPath();
        if (!Files.isReadable(file)) {
            throw new PathPermissionException(source.toString());
        }
        OptionalLong length = Files.isRegularFile(file) ? OptionalLong.of(Files.size(file)) : OptionalLong.empty();
        return length.isPresent() && Files.exists(sums(file))
                ? new SummedFile(source, file, length)
                : new LocalFile(source.toString(), file, length);
    }

    private static Path sums(Path file) {
        return file.resolveSibling("." + file.getFileName() + ".crc");
    }

    /** A stream that ends where it ends, such as standard input. */
    static UploadSource ofStream(String name, InputStream stream) {
        return new OpenStream(name, stream);
    }

    /** See {@link #ofFile}. */
    record LocalFile(String name, Path file, OptionalLong length) implements UploadSource {

        @Override
        public void chunk(Shredder engine, ChunkingParams params, ChunkSink sink) throws IOException {
            boolean digests = false;
            engine.chunkFile(file, params, digests, sink);
        }
    }

    /** A file with checksums: see {@link #ofFile}. */
    record SummedFile(PathData source, Path file, OptionalLong length) implements UploadSource {

        @Override
        public String name() {
            return source.toString();
        }

        @Override
        public void chunk(Shredder engine, ChunkingParams params, ChunkSink sink) throws IOException {
            boolean digests = false;
            try (FSDataInputStream in = source.fs.open(source.path)) {
                engine.chunk(Channels.newChannel(in), params, digests, sink);
                if (in.getPos() != length.orElseThrow()) {
                    throw new PathIOException(name(), "changed while it was read: run it again");
                }
            } catch (ChecksumException e) {
                throw new PathIOException(
                        name(),
                        "is not what " + sums(file) + " says: take it from where it is whole, or delete that file if it"
                                + " was changed on purpose",
                        e);
            }
        }
    }

    /** See {@link #ofStream}. */
    record OpenStream(String name, InputStream stream) implements UploadSource {

        @Override
        public OptionalLong length() {
            return OptionalLong.empty();
        }

        @Override
        public void chunk(Shredder engine, ChunkingParams params, ChunkSink sink) throws IOException {
            boolean digests = false;
            engine.chunk(Channels.newChannel(stream), params, digests, sink);
        }
    }
}
