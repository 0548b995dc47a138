// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import io.shredder.chunk.binding.ManifestNames;
import io.shredder.hdfs.manifest.ManifestPaths;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.shell.CommandFormat;
import org.apache.hadoop.fs.shell.CopyCommandWithMultiThread;
import org.apache.hadoop.fs.shell.PathData;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * {@code -cp}: Hadoop's own, after which copies of files that have a manifest have one, too. Hadoop's class can't be
 * extended from here, so its options stand here again. Copies may run on threads; manifests are written by the calling
 * one.
 */
@SuppressWarnings("NonApiType") // LinkedList is FsShell's choice
public final class CopyFilesCommand extends CopyCommandWithMultiThread {

    /** Read by FsShell, by name, as are the next two. */
    public static final String NAME = "cp";

    /** The synopsis. */
    public static final String USAGE =
            "[-f] [-p | -p[topax]] [-d] [-t <thread count>] [-q <thread pool queue size>] <src> ... <dst>";

    /** The help text. */
    public static final String DESCRIPTION =
            "Copy files that match the file pattern <src> to a destination. When copying multiple files, the destination must be"
                    + " a directory. Within HDFS a copy of a file that has a manifest gets one of its own.\nFlags :\n"
                    + "  -p[topax] : Preserve file attributes [topx] (timestamps, ownership, permission, ACL, XAttr). If -p is"
                    + " specified with no arg, then preserves timestamps, ownership, permission. If -pa is specified, then"
                    + " preserves permission also because ACL is a super-set of permission. Determination of whether raw"
                    + " namespace extended attributes are preserved is independent of the -p flag.\n"
                    + "  -f : Overwrite the destination if it already exists.\n"
                    + "  -d : Skip creation of temporary file(<dst>._COPYING_).\n"
                    + "  -t <thread count> : Number of threads to be used, default is 1.\n"
                    + "  -q <thread pool queue size> : Thread pool queue size to be used, default is 1024.\n";

    private record Copy(PathData source, PathData target) {}

    private final List<Copy> copies = new ArrayList<>();

    @Override
    protected void processOptions(LinkedList<String> args) throws IOException {
        takePreserveOption(args);
        CommandFormat format = new CommandFormat(2, Integer.MAX_VALUE, "f", "d");
        format.addOptionWithValue("t");
        format.addOptionWithValue("q");
        format.parse(args);
        setDirectWrite(format.getOpt("d"));
        setOverwrite(format.getOpt("f"));
        setThreadCount(format.getOptValue("t"));
        setThreadPoolQueueSize(format.getOptValue("q"));
        setRecursive(true);
        getRemoteDestination(args);
    }

    /** {@code -p} may have letters behind it, which CommandFormat doesn't know. */
    private void takePreserveOption(List<String> args) {
        for (Iterator<String> rest = args.iterator(); rest.hasNext(); ) {
            String arg = rest.next();
            if (arg.equals("--")) {
                return;
            }
            if (arg.startsWith("-p")) {
                rest.remove();
                preserve(arg.substring(2));
                return;
            }
        }
    }

    private void preserve(String attributes) {
        if (attributes.isEmpty()) {
            setPreserve(true);
        }
        attributes.chars().forEach(letter -> preserve(FileAttribute.getAttribute((char) letter)));
    }

    @Override
    protected void copyFileToTarget(PathData src, PathData target) throws IOException {
        if (getDepth() > 0 && ManifestNames.isManifest(src.path.getName()) && bothInHdfs(src, target)) {
            return; // of a folder's file, whose copy gets its own
        }
        super.copyFileToTarget(src, target);
        if (bothInHdfs(src, target)) {
            copies.add(new Copy(src, target));
        }
    }

    private static boolean bothInHdfs(PathData src, PathData target) {
        return src.fs instanceof DistributedFileSystem && target.fs instanceof DistributedFileSystem;
    }

    /** Hadoop's part returns when all copies are there, or have failed. */
    @Override
    protected void processArguments(LinkedList<PathData> args) throws IOException {
        super.processArguments(args);
        for (Copy copy : copies) {
            try {
                if (CopiedManifest.write(copy.source(), copy.target(), getConf())) {
                    Path published =
                            ManifestPaths.published((DistributedFileSystem) copy.target().fs, copy.target().path);
                    PathData manifest = new PathData(published.toString(), getConf());
                    boolean rawAttributes = false;
                    preserveAttributes(copy.source(), manifest, rawAttributes);
                }
            } catch (IOException e) {
                displayWarning(copy.target() + " is copied, but has no manifest: " + e.getMessage());
            }
        }
    }
}
