// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk.binding;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Manifest;
import io.shredder.chunk.ManifestCodec;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The bytes of a file that holds a manifest, not checked yet, and where they were found:
 * {@code docs/formats/manifest.md}, "Where it lies".
 *
 * @param path for errors
 * @param bytes all of the file, or its first {@link #HEAD_BYTES} if these aren't the head of the manifest asked for
 */
@SuppressWarnings("ArrayRecordComponent") // handed on once, compared nowhere
public record ManifestFile(String path, byte[] bytes) {

    /** So many bytes say whose manifest it is. */
    public static final int HEAD_BYTES = ManifestCodec.HEADER_BYTES;

    /**
     * Reads a file that may hold the manifest of a certain one. What has its name may be anybody's and anything, so
     * unless its head says that it is, nothing else is read; and then no more than the head says, and a byte that tells
     * whether that is all.
     *
     * @param path for errors
     * @param fileId of the file whose manifest is looked for
     */
    public static ManifestFile read(InputStream in, String path, long fileId) throws IOException {
        byte[] head = in.readNBytes(HEAD_BYTES);
        ManifestFile found = new ManifestFile(path, head);
        if (!found.isOf(fileId)) {
            return found;
        }
        byte[] rest = in.readNBytes(ManifestCodec.encodedBytes(head) - HEAD_BYTES + 1);
        byte[] all = Arrays.copyOf(head, HEAD_BYTES + rest.length);
        System.arraycopy(rest, 0, all, HEAD_BYTES, rest.length);
        return new ManifestFile(path, all);
    }

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
        try {
            return Optional.of(file.inode(place.get().inode())).filter(found -> found.isOf(file.fileId()));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    /** The file id that stands in it, which may be that of no file; empty if it is no manifest. */
    OptionalLong fileId() {
        return ManifestCodec.fileId(bytes);
    }

    /** The id of the file that the manifest is for; empty if it is none, or for none. */
    public OptionalLong owner() {
        OptionalLong id = fileId();
        return id.isPresent() && id.getAsLong() > Manifest.UNBOUND ? id : OptionalLong.empty();
    }

    /** Whether it is a manifest for the file with this id. */
    public boolean isOf(long fileId) {
        return owner().equals(OptionalLong.of(fileId));
    }

    /**
     * What the bytes say, of the file that was asked for.
     *
     * @throws DamagedDataException if they break the format, with path and offset
     */
    public Manifest manifest() throws DamagedDataException {
        return ManifestCodec.decode(bytes, path);
    }
}
