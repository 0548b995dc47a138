// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.input;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.Manifest;
import io.shredder.chunk.ManifestCodec;
import io.shredder.incoop.config.PlainRunException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.HdfsBlockLocation;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Reads the manifest of an HDFS file and holds it to every rule of {@code docs/formats/manifest.md}, "Binding": a
 * manifest that describes other bytes than its file's is never used.
 */
final class BoundManifests {

    private static final String XATTR = "user.shredder.manifest";

    private BoundManifests() {}

    /**
     * The chunks of a file.
     *
     * @param recordFormat the one that the job reads
     * @throws PlainRunException if the file has no manifest, or one that is damaged, stale or for other records
     */
    static Manifest read(Path file, String recordFormat, Configuration conf) throws IOException, PlainRunException {
        FileSystem fs = file.getFileSystem(conf);
        FileStatus status = fs.getFileStatus(file);
        if (!(status instanceof HdfsFileStatus hdfsStatus)) {
            throw new PlainRunException(file + " is not on HDFS, so no manifest can be bound to it");
        }
        FoundManifest found = FoundManifest.of(fs, file, hdfsStatus.getFileId())
                .orElseThrow(() -> new PlainRunException(
                        file + " has no manifest: upload it with -copyFromLocalGPU to give it one"));
        byte[] bytes = found.bytes();
        Manifest manifest;
        try {
            manifest = ManifestCodec.decode(bytes, found.path().toString());
        } catch (IOException e) {
            throw new PlainRunException(String.valueOf(e.getMessage()));
        }
        stale(file, manifest.fileId() == hdfsStatus.getFileId(), "it belongs to another file id");
        stale(file, manifest.length() == status.getLen(), "the file's length has changed");
        BlockLocation[] blocks = fs.getFileBlockLocations(status, 0, status.getLen());
        stale(file, blockLengths(blocks).equals(expectedBlocks(manifest, status.getBlockSize())), "the blocks differ");
        checkAttribute(fs, file, bytes, blocks);
        if (!manifest.recordFormat().equals(recordFormat)) {
            throw new PlainRunException("the manifest of " + file + " is cut for records '" + manifest.recordFormat()
                    + "', the job reads '" + recordFormat + "'");
        }
        if (manifest.params().digest() != DigestAlgorithm.SHA_256) {
            throw new PlainRunException("the manifest of " + file + " has "
                    + manifest.params().digest() + " digests: upload it again with -digest sha256");
        }
        return manifest;
    }

    private static List<Long> blockLengths(BlockLocation[] blocks) {
        return Arrays.stream(blocks).map(BlockLocation::getLength).toList();
    }

    private static List<Long> expectedBlocks(Manifest manifest, long blockBytes) {
        List<Long> lengths = new ArrayList<>();
        for (long segment : manifest.segmentLengths()) {
            long left = segment;
            for (; left > blockBytes; left -= blockBytes) {
                lengths.add(blockBytes);
            }
            lengths.add(left);
        }
        return lengths;
    }

    private static void checkAttribute(FileSystem fs, Path file, byte[] manifest, BlockLocation[] blocks)
            throws IOException, PlainRunException {
        Optional<String> value = FileAttributes.text(fs, file, XATTR);
        if (value.isEmpty()) {
            return;
        }
        Fingerprint own = Fingerprint.of(Arrays.copyOfRange(manifest, manifest.length - 32, manifest.length));
        String expected = "v1 manifest=" + own + " blocks=" + blockDigest(file, blocks);
        stale(
                file,
                value.get().equals(expected),
                "its attribute " + XATTR + " belongs to other blocks or another manifest");
    }

    private static Fingerprint blockDigest(Path file, BlockLocation[] locations) throws PlainRunException {
        ByteBuffer ids = ByteBuffer.allocate(24 * locations.length);
        for (BlockLocation location : locations) {
            if (!(location instanceof HdfsBlockLocation hdfsLocation)) {
                throw new PlainRunException(
                        "the block ids of " + file + " can't be read, so its manifest can't be checked");
            }
            LocatedBlock located = hdfsLocation.getLocatedBlock();
            ExtendedBlock block = located.getBlock();
            ids.putLong(block.getBlockId()).putLong(block.getGenerationStamp()).putLong(located.getBlockSize());
        }
        return Fingerprint.ofData(ids.flip());
    }

    private static void stale(Path file, boolean rule, String problem) throws PlainRunException {
        if (!rule) {
            throw new PlainRunException("the manifest of " + file + " is stale: " + problem);
        }
    }
}
