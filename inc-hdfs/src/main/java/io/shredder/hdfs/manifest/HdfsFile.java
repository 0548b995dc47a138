// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.manifest;

import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.binding.BlockLayout;
import io.shredder.chunk.binding.BoundFile;
import io.shredder.chunk.binding.ManifestFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/** A file as its manifest is looked for, asked of HDFS's client. Used by one thread. */
public final class HdfsFile implements BoundFile {

    private final DistributedFileSystem fs;
    private final Path file;
    private final HdfsFileStatus status;
    private @Nullable BlockLayout layout;

    HdfsFile(DistributedFileSystem fs, Path file, HdfsFileStatus status) {
        this.fs = fs;
        this.file = file;
        this.status = status;
    }

    /** The blocks of a file, as the NameNode has them. */
    public static BlockLayout layout(DistributedFileSystem fs, Path file, long lengthBytes) throws IOException {
        BlockLayout.Builder layout = new BlockLayout.Builder();
        for (LocatedBlock located : fs.getLocatedBlocks(file, 0, lengthBytes).getLocatedBlocks()) {
            ExtendedBlock block = located.getBlock();
            layout.add(block.getBlockId(), block.getGenerationStamp(), block.getNumBytes());
        }
        return layout.build();
    }

    @Override
    public String name() {
        return file.getName();
    }

    @Override
    public long fileId() {
        return status.getFileId();
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
        return layout().lengths();
    }

    @Override
    public Fingerprint blockDigest() throws IOException {
        return layout().digest();
    }

    private BlockLayout layout() throws IOException {
        if (layout == null) {
            layout = layout(fs, file, status.getLen());
        }
        return layout;
    }

    @Override
    public Optional<byte[]> attribute(String name) throws IOException {
        return Optional.ofNullable(fs.getXAttrs(file).get(name));
    }

    @Override
    public ManifestFile sibling(String siblingName) throws IOException {
        return read(new Path(file.getParent(), siblingName));
    }

    @Override
    public ManifestFile inode(long id) throws IOException {
        Path path = Inodes.path(id);
        try {
            return read(path);
        } catch (AccessControlException e) {
            throw none(path, e);
        } catch (RemoteException e) {
            Inodes.throwUnlessNameless(e);
            throw none(path, e);
        }
    }

    private static FileNotFoundException none(Path path, IOException cause) {
        FileNotFoundException none = new FileNotFoundException(path.toString());
        none.initCause(cause);
        return none;
    }

    private ManifestFile read(Path path) throws IOException {
        try (FSDataInputStream in = fs.open(path)) {
            return ManifestFile.read(in, path.toString(), fileId());
        }
    }
}
