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
     * A local file, pipe or block device. One that shrinks or grows while it is read makes the reading fail.
     *
     * @throws PathPermissionException if this user may not read it
     */
    static UploadSource ofFile(PathData source) throws IOException {
        Path file = source.toFile().toPath();
        if (!Files.isReadable(file)) {
            throw new PathPermissionException(source.toString());
        }
        OptionalLong length = Files.isRegularFile(file) ? OptionalLong.of(Files.size(file)) : OptionalLong.empty();
        return new LocalFile(source.toString(), file, length);
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
