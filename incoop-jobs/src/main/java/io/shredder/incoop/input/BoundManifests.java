// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.input;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Manifest;
import io.shredder.chunk.binding.BindingRules;
import io.shredder.chunk.binding.ManifestFile;
import io.shredder.chunk.binding.StaleManifestException;
import io.shredder.incoop.config.PlainRunException;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * Reads the manifest of an HDFS file, if it is bound to it ({@link BindingRules}) and has chunks that the job can use:
 * a manifest that describes other bytes than its file's is never used.
 */
final class BoundManifests {

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
        Manifest manifest = bound(file, new InputFile(fs, file, status, hdfsStatus.getFileId()));
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

    private static Manifest bound(Path file, InputFile asked) throws IOException, PlainRunException {
        ManifestFile found = ManifestFile.of(asked)
                .orElseThrow(() -> new PlainRunException(
                        file + " has no manifest: upload it with -copyFromLocalGPU to give it one"));
        try {
            return BindingRules.check(asked, found);
        } catch (StaleManifestException e) {
            throw new PlainRunException("the manifest of " + file + " is stale: " + e.getMessage());
        } catch (DamagedDataException | BlockIds.MissingException e) {
            throw new PlainRunException(String.valueOf(e.getMessage()));
        }
    }
}
