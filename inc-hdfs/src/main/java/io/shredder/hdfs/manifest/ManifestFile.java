// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.manifest;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;

/**
 * The bytes of a file that holds a manifest, not checked yet, and where they were found:
 * {@code docs/formats/manifest.md}, "Where it lies".
 */
@SuppressWarnings("ArrayRecordComponent") // handed on once, compared nowhere
public record ManifestFile(Path path, byte[] bytes) {

    private static final int FILE_ID_OFFSET = 80;
    private static final int HEAD_BYTES = FILE_ID_OFFSET + Long.BYTES;

    /** The one of {@code file}, by name or by attribute; or, if neither belongs to it, whatever has the name. */
    static Optional<ManifestFile> of(DistributedFileSystem fs, Path file, long fileId) throws IOException {
        Path name = ManifestNames.of(file);
        Optional<ManifestFile> byName = read(fs, name);
        if (byName.isPresent() && owner(byName.get().bytes()) == fileId) {
            return byName;
        }
        Optional<ManifestFile> byAttribute = byAttribute(fs, file, fileId);
        return byAttribute.isPresent() ? byAttribute : byName;
    }

    private static Optional<ManifestFile> read(DistributedFileSystem fs, Path path) throws IOException {
        try (FSDataInputStream in = fs.open(path)) {
            return Optional.of(new ManifestFile(path, in.readAllBytes()));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    /** An attribute can be set by anybody who may write the file, so what it names is read only if it looks right. */
    private static Optional<ManifestFile> byAttribute(DistributedFileSystem fs, Path file, long fileId)
            throws IOException {
        Optional<ManifestPlace> place =
                FileXAttrs.get(fs, file, ManifestPlace.XATTR).flatMap(ManifestPlace::parse);
        if (place.isEmpty()) {
            return Optional.empty();
        }
        Path path = Inodes.path(place.get().inode());
        try {
            return isFor(fs, path, fileId) ? read(fs, path) : Optional.empty();
        } catch (AccessControlException e) {
            return Optional.empty();
        } catch (RemoteException e) {
            Inodes.throwUnlessNameless(e);
            return Optional.empty();
        }
    }

    /** Whether the file at {@code path}, if there is one, holds a manifest for the file with id {@code fileId}. */
    public static boolean isFor(DistributedFileSystem fs, Path path, long fileId) throws IOException {
        OptionalLong owner = owner(fs, path);
        return owner.isPresent() && owner.getAsLong() == fileId;
    }

    /** The id of the file that the manifest at {@code path} is for; empty if there is none. */
    public static OptionalLong owner(DistributedFileSystem fs, Path path) throws IOException {
        try (FSDataInputStream in = fs.open(path)) {
            long owner = owner(in.readNBytes(HEAD_BYTES));
            return owner > 0 ? OptionalLong.of(owner) : OptionalLong.empty();
        } catch (FileNotFoundException e) {
            return OptionalLong.empty();
        }
    }

    private static long owner(byte[] bytes) {
        return bytes.length < HEAD_BYTES ? 0 : ByteBuffer.wrap(bytes).getLong(FILE_ID_OFFSET);
    }
}
