// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.input;

import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.binding.BoundFile;
import io.shredder.chunk.binding.ManifestAttributes;
import io.shredder.chunk.binding.ManifestFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/**
 * A file as its manifest is looked for, asked of whichever file system knows HDFS's files: HDFS's own, one over the
 * web, or one that is mounted in another. Used by one thread.
 */
final class InputFile implements BoundFile {

    private static final String INODES = "/.reserved/.inodes/";

    private final FileSystem fs;
    private final Path file;
    private final FileStatus status;
    private final long fileId;
    private BlockLocation @Nullable [] blocks;

    InputFile(FileSystem fs, Path file, FileStatus status, long fileId) {
        this.fs = fs;
        this.file = file;
        this.status = status;
        this.fileId = fileId;
    }

    @Override
    public String name() {
        return file.getName();
    }

    @Override
    public long fileId() {
        return fileId;
    }

    @Override
    public long lengthBytes() {
        return status.getLen();
    }

    @Override
    public long preferredBlockBytes() {
        return status.getBlockSize();
    }

    @Override
    public List<Long> blockLengths() throws IOException {
        return Arrays.stream(blocks()).map(BlockLocation::getLength).toList();
    }

    /** @throws BlockIds.MissingException if they can't be read */
    @Override
    public Fingerprint blockDigest() throws IOException {
        return BlockIds.layout(file, blocks()).digest();
    }

    private BlockLocation[] blocks() throws IOException {
        if (blocks == null) {
            blocks = fs.getFileBlockLocations(status, 0, status.getLen());
        }
        return blocks;
    }

    /** Empty also where nobody can set one: nothing tells of appends there, so no chunk may be reused. */
    @Override
    public Optional<byte[]> attribute(String name) throws IOException {
        try {
            return Optional.ofNullable(fs.getXAttrs(file).get(name));
        } catch (UnsupportedOperationException e) {
            return Optional.empty();
        } catch (IOException e) {
            if (ManifestAttributes.switchedOff(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    @Override
    public ManifestFile sibling(String siblingName) throws IOException {
        return read(new Path(file.getParent(), siblingName));
    }

    @Override
    public ManifestFile inode(long id) throws IOException {
        Path path = fs.makeQualified(new Path(INODES + id));
        try {
            return read(path);
        } catch (AccessControlException e) {
            throw none(path, e);
        } catch (RemoteException e) {
            if (IllegalArgumentException.class.getName().equals(e.getClassName())) {
                throw none(path, e); // only a snapshot has it, without a path
            }
            throw e;
        }
    }

    private static FileNotFoundException none(Path path, IOException cause) {
        FileNotFoundException none = new FileNotFoundException(path.toString());
        none.initCause(cause);
        return none;
    }

    private ManifestFile read(Path path) throws IOException {
        try (FSDataInputStream in = fs.open(path)) {
            return ManifestFile.read(in, path.toString(), fileId);
        }
    }
}
