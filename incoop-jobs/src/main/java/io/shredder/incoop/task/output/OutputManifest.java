// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.output;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.Manifest;
import io.shredder.chunk.ManifestCodec;
import io.shredder.chunk.ReferenceChunker;
import io.shredder.chunk.binding.BlockLayout;
import io.shredder.chunk.binding.ManifestBinding;
import io.shredder.chunk.binding.ManifestNames;
import io.shredder.chunk.binding.ManifestPlace;
import io.shredder.incoop.input.BlockIds;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the manifest of a part file of lines, so that a job over it is incremental: {@code docs/formats/manifest.md}.
 * Both lie in the attempt's folder and are committed together, by rename, which changes no file's id.
 */
final class OutputManifest {

    private static final Logger LOG = LoggerFactory.getLogger(OutputManifest.class);
    private static final int BUFFER_BYTES = 1 << 16;
    private static final String LINES = "text";

    private final FileSystem fs;
    private final Path file;
    private final ChunkingParams params;

    private OutputManifest(FileSystem fs, Path file, ChunkingParams params) {
        this.fs = fs;
        this.file = file;
        this.params = params;
    }

    /**
     * Writes the manifest of a file that is closed. The job does not need it, so what can't be written costs a warning
     * and no more.
     *
     * @param averageBytes of a chunk, before it is moved to the next line's end
     */
    static void write(Path file, long averageBytes, Configuration conf) {
        try {
            FileSystem fs = file.getFileSystem(conf);
            FileStatus status = fs.getFileStatus(file);
            if (!(status instanceof HdfsFileStatus onHdfs) || status.getLen() == 0) {
                return;
            }
            Manifest manifest = new OutputManifest(fs, file, ChunkingParams.ofAverage(averageBytes)).manifest();
            bind(fs, status, ManifestCodec.encode(manifest.withFileId(onHdfs.getFileId())));
        } catch (IOException | RuntimeException e) {
            LOG.warn("incoop: {} gets no manifest: {}", file, e.getMessage());
        }
    }

    /** Without the attributes no job would use it, so where none can be set there is no manifest. */
    private static void bind(FileSystem fs, FileStatus status, byte[] manifest) throws IOException {
        Path file = status.getPath();
        BlockLayout layout = BlockIds.layout(file, fs.getFileBlockLocations(status, 0, status.getLen()));
        fs.setXAttr(
                file,
                ManifestBinding.XATTR,
                ManifestBinding.of(manifest, layout.digest()).encode());
        try (FSDataOutputStream out = fs.create(nameOf(file), false)) {
            out.write(manifest);
        }
        if (fs.getFileStatus(nameOf(file)) instanceof HdfsFileStatus written) {
            fs.setXAttr(file, ManifestPlace.XATTR, new ManifestPlace(written.getFileId()).encode());
        }
    }

    /** Where the manifest of a file lies. */
    static Path nameOf(Path file) {
        return new Path(file.getParent(), ManifestNames.of(file.getName()));
    }

    private Manifest manifest() throws IOException {
        List<Long> cuts = cuts();
        Manifest.Builder manifest = Manifest.builder(params).recordFormat(LINES);
        MessageDigest digest = params.digest().newMessageDigest();
        long position = 0;
        long start = 0;
        int next = 0;
        int last = -1;
        try (InputStream in = new BufferedInputStream(fs.open(file), BUFFER_BYTES)) {
            for (int one = in.read(); one >= 0; one = in.read()) {
                // A chunk ends with the first line that ends at its cut or behind it.
                if (last == '\n' && next < cuts.size() && position >= cuts.get(next)) {
                    manifest.add(chunk(start, position, digest, false));
                    start = position;
                    while (next < cuts.size() && cuts.get(next) <= position) {
                        next++;
                    }
                }
                digest.update((byte) one);
                last = one;
                position++;
            }
        }
        return manifest.add(chunk(start, position, digest, true)).build();
    }

    /** Where the bytes alone would end chunks. */
    private List<Long> cuts() throws IOException {
        List<Long> cuts = new ArrayList<>();
        ReferenceChunker chunker = new ReferenceChunker(params, chunk -> cuts.add(chunk.end()));
        byte[] buffer = new byte[BUFFER_BYTES];
        try (InputStream in = fs.open(file)) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                chunker.update(ByteBuffer.wrap(buffer, 0, read));
            }
        }
        chunker.finish();
        return cuts;
    }

    private static Chunk chunk(long start, long end, MessageDigest digest, boolean last) {
        return new Chunk(start, Math.toIntExact(end - start), Fingerprint.of(digest.digest()), last);
    }
}
