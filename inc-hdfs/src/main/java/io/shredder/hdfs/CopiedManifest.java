// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.Manifest;
import io.shredder.chunk.binding.BlockLayout;
import io.shredder.hdfs.manifest.FileXAttrs;
import io.shredder.hdfs.manifest.HdfsFile;
import io.shredder.hdfs.manifest.HdfsManifests;
import io.shredder.hdfs.manifest.ManifestPaths;
import io.shredder.hdfs.upload.ManifestPublisher;
import io.shredder.hdfs.upload.UploadFolder;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.shell.PathData;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.jspecify.annotations.Nullable;

/** Gives a copy the chunks of its source: {@code docs/formats/manifest.md}, "Copies". */
final class CopiedManifest {

    private static final String CHECKSUM_KEY = "dfs.checksum.combine.mode";
    private static final String OF_BYTES = "COMPOSITE_CRC";

    private CopiedManifest() {}

    /**
     * Writes {@code target} a manifest, if {@code source} has one and both are the same.
     *
     * @param source as it was when its copying began, in HDFS
     * @param target written and closed, in HDFS
     * @return whether it has one now
     */
    static boolean write(PathData source, PathData target, Configuration conf) throws IOException {
        DistributedFileSystem fs = (DistributedFileSystem) target.fs;
        Optional<Manifest> chunks = chunksOf(source);
        if (chunks.isEmpty()) {
            return false;
        }
        HdfsFileStatus status = statusOrNull(fs, target);
        if (status == null || status.getLen() != chunks.get().length()) {
            return false;
        }
        Manifest copied = asOneSegment(chunks.get());
        BlockLayout layout = HdfsFile.layout(fs, target.path, status.getLen());
        boolean ordinary = layout.lengths().equals(BlockLayout.expected(copied, status.getBlockSize()));
        if ((!ordinary && !FileXAttrs.areOn(fs, target.path)) || !sameBytes(source, target, conf)) {
            return false;
        }
        publish(fs, target, status, layout, copied);
        return true;
    }

    private static Optional<Manifest> chunksOf(PathData source) throws IOException {
        long fileId = ((HdfsFileStatus) source.stat).getFileId();
        return HdfsManifests.find(source.fs, source.path).manifest().filter(manifest -> manifest.fileId() == fileId);
    }

    /** Null if its copying failed. */
    private static @Nullable HdfsFileStatus statusOrNull(DistributedFileSystem fs, PathData target) throws IOException {
        try {
            return (HdfsFileStatus) fs.getFileStatus(target.path);
        } catch (FileNotFoundException e) {
            return null;
        }
    }

    private static Manifest asOneSegment(Manifest manifest) {
        Manifest.Builder one = Manifest.builder(manifest.params()).recordFormat(manifest.recordFormat());
        for (Chunk chunk : manifest.chunks()) {
            boolean last = chunk.end() == manifest.length();
            one.add(new Chunk(chunk.offset(), chunk.length(), chunk.fingerprint(), last));
        }
        return one.build();
    }

    /** DataNodes tell from the checksums that they keep; no data is read. */
    private static boolean sameBytes(PathData source, PathData target, Configuration conf) throws IOException {
        Configuration ofBytes = new Configuration(conf);
        ofBytes.set(CHECKSUM_KEY, OF_BYTES);
        try (FileSystem sources = FileSystem.newInstance(source.fs.getUri(), ofBytes);
                FileSystem targets = FileSystem.newInstance(target.fs.getUri(), ofBytes)) {
            FileChecksum checksum = sources.getFileChecksum(source.path);
            return checksum != null && checksum.equals(targets.getFileChecksum(target.path));
        }
    }

    private static void publish(
            DistributedFileSystem fs, PathData target, HdfsFileStatus status, BlockLayout layout, Manifest copied)
            throws IOException {
        boolean lazyPersist = false;
        try (UploadFolder folder = UploadFolder.make(fs, ManifestPaths.uploadFolder(target.path), lazyPersist)) {
            ManifestPublisher publisher = new ManifestPublisher(folder);
            publisher.bind(target.path, status.getFileId(), layout, copied);
            publisher.publish(target.path, status.getFileId());
        }
    }
}
