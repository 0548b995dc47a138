// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.input;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;

/**
 * The bytes of a file that holds a manifest, not checked yet, and where they were found:
 * {@code docs/formats/manifest.md}, "Where it lies".
 */
@SuppressWarnings("ArrayRecordComponent") // handed on once, compared nowhere
record FoundManifest(Path path, byte[] bytes) {

    private static final String PLACE = "user.shredder.manifest.at";
    private static final Pattern PLACE_FORM = Pattern.compile("v1 inode=(\\d{1,18})");
    private static final String INODES = "/.reserved/.inodes/";
    private static final int FILE_ID_OFFSET = 80;
    private static final int HEAD_BYTES = FILE_ID_OFFSET + Long.BYTES;

    /** The one of {@code file}, by name or by attribute; or, if neither belongs to it, whatever has the name. */
    static Optional<FoundManifest> of(FileSystem fs, Path file, long fileId) throws IOException {
        Path name = new Path(file.getParent(), "." + file.getName() + ".shredder-manifest");
        Optional<FoundManifest> byName = read(fs, name);
        if (byName.isPresent() && owner(byName.get().bytes()) == fileId) {
            return byName;
        }
        Optional<FoundManifest> byAttribute = byAttribute(fs, file, fileId);
        return byAttribute.isPresent() ? byAttribute : byName;
    }

    private static Optional<FoundManifest> read(FileSystem fs, Path path) throws IOException {
        try (FSDataInputStream in = fs.open(path)) {
            return Optional.of(new FoundManifest(path, in.readAllBytes()));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    private static Optional<FoundManifest> byAttribute(FileSystem fs, Path file, long fileId) throws IOException {
        Matcher place = PLACE_FORM.matcher(FileAttributes.text(fs, file, PLACE).orElse(""));
        if (!place.matches()) {
            return Optional.empty();
        }
        Path path = fs.makeQualified(new Path(INODES + place.group(1)));
        try {
            return isFor(fs, path, fileId) ? read(fs, path) : Optional.empty();
        } catch (FileNotFoundException | AccessControlException e) {
            return Optional.empty();
        } catch (RemoteException e) {
            if (IllegalArgumentException.class.getName().equals(e.getClassName())) {
                return Optional.empty(); // only a snapshot has it, without a path
            }
            throw e;
        }
    }

    /** An attribute can be set by anybody who may write the file, so what it names is read only if it looks right. */
    private static boolean isFor(FileSystem fs, Path path, long fileId) throws IOException {
        try (FSDataInputStream in = fs.open(path)) {
            return owner(in.readNBytes(HEAD_BYTES)) == fileId;
        }
    }

    private static long owner(byte[] bytes) {
        return bytes.length < HEAD_BYTES ? 0 : ByteBuffer.wrap(bytes).getLong(FILE_ID_OFFSET);
    }
}
