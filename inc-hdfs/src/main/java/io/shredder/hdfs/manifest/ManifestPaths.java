// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.manifest;

import io.shredder.chunk.binding.ManifestFile;
import io.shredder.chunk.binding.ManifestNames;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.OptionalLong;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Where {@link ManifestNames} lie, and whose manifest lies there. */
public final class ManifestPaths {

    private ManifestPaths() {}

    /** The manifest of {@code file}. */
    public static Path of(Path file) {
        return new Path(file.getParent(), ManifestNames.of(file.getName()));
    }

    /** The manifest of the file with id {@code fileId}, which had the name of {@code file} once. */
    public static Path of(Path file, long fileId) {
        return new Path(file.getParent(), ManifestNames.of(file.getName(), fileId));
    }

    /** Where the manifest of {@code file} was published: with its id behind the name if that is another's. */
    public static Path published(DistributedFileSystem fs, Path file) throws IOException {
        long fileId = Inodes.idOf(fs, file);
        Path withId = of(file, fileId);
        return isFor(fs, withId, fileId) ? withId : of(file);
    }

    /** The folder that holds what is uploaded as {@code file} until it is published. */
    public static Path uploadFolder(Path file) {
        return new Path(file.getParent(), ManifestNames.uploadFolder(file.getName()));
    }

    /** Whether the file at {@code path}, if there is one, holds a manifest for the file with id {@code fileId}. */
    public static boolean isFor(DistributedFileSystem fs, Path path, long fileId) throws IOException {
        return owner(fs, path).equals(OptionalLong.of(fileId));
    }

    /** The id of the file that the manifest at {@code path} is for; empty if there is none. */
    public static OptionalLong owner(DistributedFileSystem fs, Path path) throws IOException {
        try (FSDataInputStream in = fs.open(path)) {
            return new ManifestFile(path.toString(), in.readNBytes(ManifestFile.HEAD_BYTES)).owner();
        } catch (FileNotFoundException e) {
            return OptionalLong.empty();
        }
    }
}
