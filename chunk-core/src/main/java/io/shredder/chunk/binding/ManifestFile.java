// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk.binding;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Manifest;
import io.shredder.chunk.ManifestCodec;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The bytes of a file that holds a manifest, not checked yet, and where they were found:
 * {@code docs/formats/manifest.md}, "Where it lies".
 *
 * @param path for errors
 * @param bytes all of the file, or its first {@link #HEAD_BYTES}
 */
@SuppressWarnings("ArrayRecordComponent") // handed on once, compared nowhere
public record ManifestFile(String path, byte[] bytes) {

    /** So many bytes say whose manifest it is. */
    public static final int HEAD_BYTES = ManifestCodec.FILE_ID_END;

    /**
     * The one of {@code file}, by name or by attribute; or, if neither belongs to it, whatever has the name.
     *
     * @throws IOException if the file system fails
     */
    public static Optional<ManifestFile> of(BoundFile file) throws IOException {
        Optional<ManifestFile> byName = byName(file);
        if (byName.isPresent() && byName.get().isOf(file.fileId())) {
            return byName;
        }
        Optional<ManifestFile> byAttribute = byAttribute(file);
        return byAttribute.isPresent() ? byAttribute : byName;
    }

    private static Optional<ManifestFile> byName(BoundFile file) throws IOException {
        try {
            return Optional.of(file.sibling(ManifestNames.of(file.name())));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    /** An attribute can be set by anybody who may write the file, so what it names is read only if it looks right. */
    private static Optional<ManifestFile> byAttribute(BoundFile file) throws IOException {
        Optional<ManifestPlace> place =
                ManifestAttributes.get(file, ManifestPlace.XATTR).flatMap(ManifestPlace::parse);
        if (place.isEmpty()) {
            return Optional.empty();
        }
        long inode = place.get().inode();
        try {
            return file.inode(inode, HEAD_BYTES).isOf(file.fileId())
                    ? Optional.of(file.inode(inode, Integer.MAX_VALUE))
                    : Optional.empty();
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    /** The id of the file that the manifest is for; empty if it is none. */
    public OptionalLong owner() {
        long owner = bytes.length < HEAD_BYTES ? Manifest.UNBOUND : ManifestCodec.fileId(bytes);
        return owner > Manifest.UNBOUND ? OptionalLong.of(owner) : OptionalLong.empty();
    }

    /** Whether it is a manifest for the file with this id. */
    public boolean isOf(long fileId) {
        return owner().equals(OptionalLong.of(fileId));
    }

    /**
     * What the bytes say, of whichever file.
     *
     * @throws DamagedDataException if they break the format, with path and offset
     */
    public Manifest manifest() throws DamagedDataException {
        return ManifestCodec.decode(bytes, path);
    }
}
