// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.upload;

import io.shredder.chunk.Manifest;
import io.shredder.chunk.ManifestCodec;
import io.shredder.chunk.binding.BlockLayout;
import io.shredder.chunk.binding.ManifestBinding;
import io.shredder.chunk.binding.ManifestPlace;
import io.shredder.hdfs.manifest.FileXAttrs;
import io.shredder.hdfs.manifest.Inodes;
import io.shredder.hdfs.manifest.ManifestPaths;
import java.io.IOException;
import java.util.OptionalLong;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.AclUtil;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.security.AccessControlException;

/** Binds a manifest to a file and names it, in the order of {@code docs/formats/manifest.md}. Used by one thread. */
public final class ManifestPublisher {

    private static final String NAME = "manifest";

    private final DistributedFileSystem fs;
    private final UploadFolder folder;

    /** @param folder holds the manifest until it is published */
    public ManifestPublisher(UploadFolder folder) {
        this.fs = folder.fileSystem();
        this.folder = folder;
    }

    /**
     * Writes the manifest into the folder, and the attributes that name it to the file.
     *
     * @param file wherever it is now
     * @param chunks of the file, not bound to it yet
     */
    public void bind(Path file, long fileId, BlockLayout layout, Manifest chunks) throws IOException {
        attach(file, layout, write(fileId, chunks));
    }

    /** The same for a file that others may know: the manifest is for those who may read the file. */
    public void bind(Path file, HdfsFileStatus status, BlockLayout layout, Manifest chunks) throws IOException {
        byte[] manifest = write(status.getFileId(), chunks);
        showTo(file, status);
        attach(file, layout, manifest);
    }

    private byte[] write(long fileId, Manifest chunks) throws IOException {
        byte[] manifest = ManifestCodec.encode(chunks.withFileId(fileId));
        try (FSDataOutputStream out = folder.create(NAME, fs.getDefaultBlockSize(folder.path(NAME)))) {
            out.write(manifest);
        }
        return manifest;
    }

    private void attach(Path file, BlockLayout layout, byte[] manifest) throws IOException {
        ManifestPlace place = new ManifestPlace(Inodes.idOf(fs, folder.path(NAME)));
        FileXAttrs.set(
                fs,
                file,
                ManifestBinding.XATTR,
                ManifestBinding.of(manifest, layout.digest()).encode());
        FileXAttrs.set(fs, file, ManifestPlace.XATTR, place.encode());
    }

    private void showTo(Path file, HdfsFileStatus status) throws IOException {
        Path manifest = folder.path(NAME);
        FileStatus own = fs.getFileStatus(manifest);
        if (!own.getOwner().equals(status.getOwner()) || !own.getGroup().equals(status.getGroup())) {
            fs.setOwner(manifest, status.getOwner(), status.getGroup());
        }
        fs.setPermission(manifest, status.getPermission());
        if (status.hasAcl()) {
            AclStatus access = fs.getAclStatus(file);
            fs.setAcl(manifest, AclUtil.getAclFromPermAndEntries(status.getPermission(), access.getEntries()));
        }
    }

    /** Gives the manifest its name beside {@code file}, which has its own, and this id. */
    public void publish(Path file, long fileId) throws IOException {
        folder.publish(folder.path(NAME), claimName(fs, file, fileId));
    }

    /**
     * The name for the manifest of {@code file}, which is taken away from one whose file had the name of {@code file}
     * and lives on under another. Where this user may not take it away, as in a sticky folder, one with the id of
     * {@code file} behind it, to which the attribute leads.
     */
    public static Path claimName(DistributedFileSystem fs, Path file, long fileId) throws IOException {
        Path name = ManifestPaths.of(file);
        OptionalLong owner = ownerOf(fs, name);
        if (owner.isPresent() && livesElsewhere(fs, owner.getAsLong(), file)) {
            try {
                fs.rename(name, ManifestPaths.of(file, owner.getAsLong()), Rename.OVERWRITE);
            } catch (AccessControlException e) {
                return ManifestPaths.of(file, fileId);
            }
        }
        return name;
    }

    /** The id of the file that a manifest is for; empty if there is none, or none that this user can read. */
    private static OptionalLong ownerOf(DistributedFileSystem fs, Path manifest) throws IOException {
        try {
            return ManifestPaths.owner(fs, manifest);
        } catch (AccessControlException | BlockMissingException e) {
            return OptionalLong.empty();
        }
    }

    private static boolean livesElsewhere(DistributedFileSystem fs, long fileId, Path file) throws IOException {
        try {
            return Inodes.exists(fs, fileId) && Inodes.idOf(fs, file) != fileId;
        } catch (AccessControlException e) {
            return true; // somewhere that this user may not look
        }
    }
}
