// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan;

import io.shredder.chunk.Manifest;
import io.shredder.chunk.binding.BlockLayout;
import io.shredder.hdfs.manifest.FileXAttrs;
import io.shredder.hdfs.manifest.HdfsFile;
import io.shredder.hdfs.manifest.ManifestPaths;
import io.shredder.hdfs.scan.plan.ScannedFile;
import io.shredder.hdfs.upload.ManifestPublisher;
import io.shredder.hdfs.upload.UploadFolder;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/** Gives a file that was there before a manifest: {@code docs/formats/manifest.md}, "Scanned files". */
final class ScannedManifest {

    static final String CHANGED = "it was changed while it was scanned: scan it again";

    private ScannedManifest() {}

    /** A file as it is now. */
    record Now(HdfsFileStatus status, BlockLayout layout) {}

    /** Empty if a file isn't any more what was scanned. */
    static Optional<Now> asScanned(DistributedFileSystem fs, ScannedFile file) throws IOException {
        HdfsFileStatus status = (HdfsFileStatus) fs.getFileStatus(file.path());
        if (status.getFileId() != file.fileId() || status.getLen() != file.length()) {
            return Optional.empty();
        }
        BlockLayout layout = HdfsFile.layout(fs, file.path(), file.length());
        return Optional.of(new Now(status, layout))
                .filter(now -> now.layout().digest().equals(file.blocks()));
    }

    /**
     * Writes it, if the file is still what was scanned. Changed afterwards, it has none that may be used.
     *
     * @param manifest of one segment
     * @return why there is none
     */
    static Optional<String> write(DistributedFileSystem fs, ScannedFile file, Manifest manifest) throws IOException {
        Optional<Now> now = asScanned(fs, file);
        if (now.isEmpty()) {
            return Optional.of(CHANGED);
        }
        HdfsFileStatus status = now.get().status();
        BlockLayout layout = now.get().layout();
        if (!layout.lengths().equals(BlockLayout.expected(manifest, status.getBlockSize()))
                && !FileXAttrs.areOn(fs, file.path())) {
            return Optional.of("its blocks are not all of one length, and only an extended attribute can say which it"
                    + " has, but the NameNode has those switched off (dfs.namenode.xattrs.enabled): copy it");
        }
        Path uploads = ManifestPaths.uploadFolder(file.path());
        if (fs.exists(uploads)) {
            return Optional.of(
                    "it is being uploaded anew, or an upload was killed: scan it later, or delete " + uploads);
        }
        boolean lazyPersist = false;
        try (UploadFolder folder = UploadFolder.make(fs, uploads, lazyPersist)) {
            ManifestPublisher publisher = new ManifestPublisher(folder);
            publisher.bind(file.path(), status, layout, manifest);
            publisher.publish(file.path(), status.getFileId());
        }
        return Optional.empty();
    }
}
