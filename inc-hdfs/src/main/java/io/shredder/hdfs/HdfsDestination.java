// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import io.shredder.chunk.Manifest;
import io.shredder.chunk.ManifestCodec;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.shell.PathData;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * One file to be in HDFS: written under a temporary name, checked, then published together with its manifest, in the
 * order of {@code docs/formats/manifest.md}. Closing it takes away whatever was not published; so does the end of the
 * process, by the file system's own shutdown hook. Used by one thread.
 */
final class HdfsDestination implements AutoCloseable {

    private final DistributedFileSystem fs;
    private final String name;
    private final Path file;
    private final Path temporary;
    private final Path manifestTemporary;
    private final UnpublishedFiles unpublished;

    /** @throws IOException if {@code target} is not in HDFS, or its directory can't have blocks of any length */
    HdfsDestination(PathData target) throws IOException {
        this.fs = requireHdfs(target);
        this.name = target.toString();
        this.file = target.path;
        this.temporary = ManifestNames.temporary(file);
        this.manifestTemporary = ManifestNames.temporary(ManifestNames.of(file));
        refuseErasureCoding();
        this.unpublished = new UnpublishedFiles(fs);
    }

    /** @throws PathIOException if {@code path} is not in HDFS */
    static DistributedFileSystem requireHdfs(PathData path) throws PathIOException {
        if (path.fs instanceof DistributedFileSystem hdfs) {
            return hdfs;
        }
        throw new PathIOException(
                path.toString(),
                "is in " + path.fs.getUri() + ", which is not HDFS: give an hdfs:// path or set fs.defaultFS");
    }

    private void refuseErasureCoding() throws IOException {
        ErasureCodingPolicy policy;
        try {
            policy = fs.getErasureCodingPolicy(file.getParent());
        } catch (FileNotFoundException e) {
            return; // create() says so better
        }
        if (policy != null) {
            throw erasureCoded("policy " + policy.getName());
        }
    }

    private IOException erasureCoded(String how) {
        return new PathIOException(
                name,
                "the directory is erasure-coded (" + how
                        + "), where blocks can't end early: use a replicated one, or run "
                        + "hdfs ec -setPolicy -replicate -path "
                        + file.getParent().toUri().getPath());
    }

    /** Opens the temporary file. Its parent directory must exist. */
    HdfsDataOutputStream create(long preferredBlockBytes) throws IOException {
        FSDataOutputStream out = unpublished.create(temporary, preferredBlockBytes);
        if (!out.hasCapability(StreamCapabilities.HSYNC) || !(out instanceof HdfsDataOutputStream hdfsOut)) {
            out.close();
            throw erasureCoded("its streams can't sync");
        }
        return hdfsOut;
    }

    /**
     * Checks the closed temporary file against its manifest, then publishes both, replacing older ones.
     *
     * @param chunks of the file, not bound to it yet
     * @return how many blocks the file has
     */
    int publish(Manifest chunks) throws IOException {
        HdfsFileStatus status = (HdfsFileStatus) fs.getFileStatus(temporary);
        if (status.getLen() != chunks.length()) {
            throw new PathIOException(name, "another upload wrote to " + temporary + " meanwhile: run it again");
        }
        BlockLayout layout = BlockLayout.of(fs, temporary, status.getLen());
        checkLayout(layout, BlockLayout.expected(chunks, status.getBlockSize()));
        byte[] manifest = ManifestCodec.encode(chunks.withFileId(status.getFileId()));
        FileXAttrs.set(
                fs,
                temporary,
                ManifestBinding.XATTR,
                ManifestBinding.of(manifest, layout).encode());
        writeManifest(manifest);
        unpublished.publish(temporary, file);
        unpublished.publish(manifestTemporary, ManifestNames.of(file));
        return layout.lengths().size();
    }

    private void checkLayout(BlockLayout layout, List<Long> expected) throws IOException {
        if (!layout.lengths().equals(expected)) {
            throw new PathIOException(
                    name,
                    "HDFS made " + layout.lengths().size() + " blocks where " + expected.size()
                            + " segments were written, or of other lengths: not published; run it again");
        }
    }

    private void writeManifest(byte[] manifest) throws IOException {
        try (FSDataOutputStream out =
                unpublished.create(manifestTemporary, fs.getDefaultBlockSize(manifestTemporary))) {
            out.write(manifest);
        }
    }

    @Override
    public void close() throws IOException {
        unpublished.close();
    }
}
