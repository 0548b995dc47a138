// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.upload;

import io.shredder.chunk.Manifest;
import io.shredder.chunk.binding.BlockLayout;
import io.shredder.chunk.binding.ManifestNames;
import io.shredder.hdfs.manifest.HdfsFile;
import io.shredder.hdfs.manifest.ManifestPaths;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.shell.PathData;
import org.apache.hadoop.fs.viewfs.ViewFileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/**
 * One file to be in HDFS: written in a folder of its own, checked, then published together with its manifest, in the
 * order of {@code docs/formats/manifest.md}. Closing it takes away whatever was not published; so does the end of the
 * process. Used by one thread.
 */
public final class HdfsDestination implements AutoCloseable {

    private static final String RAW = "/.reserved/raw/";
    private static final String NAME_LIMIT_KEY = "dfs.namenode.fs-limits.max-component-length";
    private static final int DEFAULT_NAME_LIMIT = 255;

    private final DistributedFileSystem fs;
    private final String name;
    private final Path file;
    private final boolean overwrite;
    private @Nullable UploadFolder folder;
    private boolean named;

    /**
     * Where {@code target} says.
     *
     * @param fs a client of {@code target}'s file system; stays the caller's to close
     * @param overwrite whether a file that has the name when this one is written is replaced
     */
    public HdfsDestination(DistributedFileSystem fs, PathData target, boolean overwrite) {
        this.fs = fs;
        this.name = target.toString();
        this.file = target.path;
        this.overwrite = overwrite;
    }

    /** Where a path of a client-side mount table leads in HDFS; any other path itself. The parent must exist. */
    public static PathData resolve(PathData path, Configuration conf) throws IOException {
        if (!(path.fs instanceof ViewFileSystem mounts)) {
            return path;
        }
        Path real = path.exists
                ? mounts.resolvePath(path.path)
                : new Path(mounts.resolvePath(path.path.getParent()), path.path.getName());
        return new PathData(real.toString(), conf);
    }

    /**
     * The HDFS that a path is in.
     *
     * @throws PathIOException if {@code path} is not in HDFS
     */
    public static DistributedFileSystem requireHdfs(PathData path) throws PathIOException {
        if (path.fs instanceof DistributedFileSystem hdfs) {
            return hdfs;
        }
        throw new PathIOException(
                path.toString(),
                "is in " + path.fs.getUri()
                        + ", which is not HDFS: give an hdfs:// path or set fs.defaultFS, or copy it with -copyFromLocal");
    }

    /**
     * Refuses what {@code -copyFromLocal} refuses, too: a path by which HDFS takes bytes that are encrypted already.
     *
     * @throws PathIOException if {@code path} is one
     */
    public static void refuseRaw(PathData path) throws PathIOException {
        if ((path.path.toUri().getPath() + "/").startsWith(RAW)) {
            throw new PathIOException(
                    path.toString(), "is below " + RAW + ", which takes only what was read there: leave that part out");
        }
    }

    /**
     * Begins the file. Its parent directory must exist.
     *
     * @param options how blocks are to be written; as many at once as there are threads, at most
     */
    SegmentedFile create(UploadOptions options) throws IOException {
        refuseLongName();
        long preferredBlockBytes = options.plan().preferredBytes();
        refuseSmallerThanCells(options.plan());
        boolean joinable = mayJoinFiles();
        if (options.lazyPersist() && !joinable) {
            throw new PathIOException(
                    name,
                    "is in an encryption zone, where HDFS joins no files, and it appends to no lazy ones: leave -l out");
        }
        UploadFolder made = UploadFolder.make(fs, ManifestPaths.uploadFolder(file), options.lazyPersist());
        folder = made;
        return joinable && (options.threads() > 1 || options.lazyPersist())
                ? new PieceFiles(made, preferredBlockBytes, options.threads())
                : new AppendedFile(made, preferredBlockBytes);
    }

    /** The manifest's name is the longest that comes beside the file's. */
    private void refuseLongName() throws IOException {
        int limit = fs.getConf().getInt(NAME_LIMIT_KEY, DEFAULT_NAME_LIMIT);
        int own = utf8Bytes(file.getName());
        int manifests = utf8Bytes(ManifestNames.of(file.getName()));
        if (limit > 0 && manifests > limit) {
            throw new PathIOException(
                    name,
                    "has a name of " + own + " bytes, but HDFS allows " + limit
                            + ", and its manifest's is longer: take one of at most " + (limit - manifests + own)
                            + " bytes, or copy it with -copyFromLocal");
        }
    }

    private static int utf8Bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Not in an encryption zone, nor where this user may write but not ask whether it is one. */
    private boolean mayJoinFiles() throws IOException {
        try {
            return fs.getEZForPath(file.getParent()) == null;
        } catch (AccessControlException e) {
            return false;
        }
    }

    private void refuseSmallerThanCells(BlockPlan plan) throws IOException {
        ErasureCodingPolicy policy = policyOrNull();
        if (policy != null && policy.getCellSize() > plan.preferredBytes()) {
            throw new PathIOException(
                    name,
                    "the directory's erasure-coding policy " + policy.getName() + " has cells of "
                            + policy.getCellSize() + " bytes, which is more than the block size "
                            + plan.preferredBytes() + ": " + plan.blocksOf(policy.getCellSize()));
        }
    }

    /** Null also where this user may write but not ask; the NameNode refuses small blocks there by itself. */
    private @Nullable ErasureCodingPolicy policyOrNull() throws IOException {
        try {
            return fs.getErasureCodingPolicy(file.getParent());
        } catch (AccessControlException e) {
            return null;
        }
    }

    /**
     * Checks the whole file in the folder against its manifest, then publishes both, replacing an older manifest, and
     * an older file if that was asked for.
     *
     * @param chunks of the file, not bound to it yet
     * @return the file's blocks, and how many an ordinary file has
     */
    PublishedBlocks publish(Path whole, Manifest chunks) throws IOException {
        HdfsFileStatus status = (HdfsFileStatus) fs.getFileStatus(whole);
        BlockLayout layout = HdfsFile.layout(fs, whole, status.getLen());
        checkLayout(layout, BlockLayout.expected(chunks, status.getBlockSize()));
        ManifestPublisher manifest = new ManifestPublisher(begun());
        manifest.bind(whole, status.getFileId(), layout, chunks);
        giveName(whole, status.getOwner());
        named = true;
        publish(manifest, status.getFileId());
        return PublishedBlocks.of(layout, status);
    }

    private void publish(ManifestPublisher manifest, long fileId) throws IOException {
        try {
            manifest.publish(file, fileId);
        } catch (IOException e) {
            throw new PathIOException(
                    name,
                    "is uploaded, but has no manifest: " + UploadFolder.firstLine(e)
                            + "; 'hadoop shredder scan --write' gives it one",
                    e);
        }
    }

    private void giveName(Path whole, String owner) throws IOException {
        if (overwrite) {
            deleteAnothersIfSticky(owner);
            begun().publish(whole, file);
        } else {
            begun().publishNew(whole, file);
        }
    }

    /** In a sticky folder HDFS lets nobody delete another's file, but rename over it. So it is asked to delete it. */
    private void deleteAnothersIfSticky(String owner) throws IOException {
        if (!fs.getFileStatus(file.getParent()).getPermission().getStickyBit()) {
            return;
        }
        try {
            if (!fs.getFileStatus(file).getOwner().equals(owner)) {
                fs.delete(file, false);
            }
        } catch (FileNotFoundException e) {
            // There is none to replace.
        }
    }

    private void checkLayout(BlockLayout layout, List<Long> expected) throws IOException {
        if (!layout.lengths().equals(expected)) {
            throw new PathIOException(
                    name,
                    "HDFS made " + layout.lengths().size() + " blocks where " + expected.size()
                            + " segments were written, or of other lengths: not published; run it again");
        }
    }

    private UploadFolder begun() {
        if (folder == null) {
            throw new IllegalStateException("create comes first");
        }
        return folder;
    }

    /** What to tell of {@code failure}: itself, or the reason behind it. */
    IOException explain(IOException failure) {
        return folder == null || named ? failure : folder.explain(failure, name);
    }

    @Override
    public void close() throws IOException {
        if (folder != null) {
            folder.close();
        }
    }
}
