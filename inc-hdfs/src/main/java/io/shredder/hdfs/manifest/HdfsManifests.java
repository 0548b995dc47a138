// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.manifest;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Manifest;
import io.shredder.chunk.binding.BindingRules;
import io.shredder.chunk.binding.ManifestFile;
import io.shredder.chunk.binding.StaleManifestException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.PathIsDirectoryException;
import org.apache.hadoop.fs.PathNotFoundException;
import org.apache.hadoop.fs.shell.PathData;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * Finds the manifest of an HDFS file and checks that it still describes that file: {@code docs/formats/manifest.md},
 * "Beside an HDFS file". Stateless; safe for use by several threads.
 */
public final class HdfsManifests {

    private HdfsManifests() {}

    /**
     * A manifest that may be used, or why there is none.
     *
     * @param manifest present only if it describes the file as it is now
     * @param reason empty if a manifest is present
     * @param isStale whether there is one that doesn't describe the file
     */
    public record Lookup(Optional<Manifest> manifest, String reason, boolean isStale) {

        static Lookup found(Manifest manifest) {
            return new Lookup(Optional.of(manifest), "", false);
        }

        static Lookup none(String reason) {
            return new Lookup(Optional.empty(), reason, false);
        }

        static Lookup stale(String what) {
            return new Lookup(Optional.empty(), "stale manifest, not used: " + what, true);
        }
    }

    /**
     * Looks the manifest of {@code file} up.
     *
     * @throws io.shredder.chunk.DamagedDataException if there is a manifest whose bytes are damaged
     * @throws FileNotFoundException if there is no such file
     * @throws IOException if {@code file} is a directory, or HDFS fails
     */
    public static Lookup find(FileSystem fs, Path file) throws IOException {
        if (!(fs instanceof DistributedFileSystem hdfs)) {
            return Lookup.none("not in HDFS");
        }
        HdfsFileStatus status = (HdfsFileStatus) hdfs.getFileStatus(file);
        if (status.isDirectory()) {
            throw new PathIsDirectoryException(file.toString());
        }
        HdfsFile asked = new HdfsFile(hdfs, file, status);
        Optional<ManifestFile> found = ManifestFile.of(asked);
        if (found.isEmpty()) {
            return Lookup.none("no manifest");
        }
        try {
            return Lookup.found(BindingRules.check(asked, found.get()));
        } catch (StaleManifestException e) {
            return Lookup.stale(String.valueOf(e.getMessage()));
        }
    }

    /**
     * The manifest of {@code file}, for a command that can't do without.
     *
     * @throws PathIOException if there is none that may be used, with the reason and what to do
     */
    public static Manifest require(PathData file) throws IOException {
        if (!file.exists) {
            throw new PathNotFoundException(file.toString());
        }
        if (file.stat.isDirectory()) {
            throw new PathIsDirectoryException(file.toString());
        }
        Lookup lookup = findUndamaged(file);
        return lookup.manifest()
                .orElseThrow(() -> new PathIOException(
                        file.toString(), lookup.reason() + "; upload it with -copyFromLocalGPU to have one"));
    }

    private static Lookup findUndamaged(PathData file) throws IOException {
        try {
            return find(file.fs, file.path);
        } catch (DamagedDataException e) {
            throw new PathIOException(
                    file.toString(), e.getMessage() + "; upload it again with -copyFromLocalGPU -f to have a good one");
        }
    }
}
