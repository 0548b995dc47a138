// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.plan;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.security.AccessControlException;

/** Lists all files below a folder, but what is hidden. One folder that can't be listed doesn't end it. */
final class FolderWalk {

    private final DistributedFileSystem fs;
    private final Visitor visitor;
    private final Deque<Path> folders = new ArrayDeque<>();

    /** Gets what is found. */
    interface Visitor {
        void file(HdfsLocatedFileStatus file) throws IOException;

        /** A folder of which not all is known. */
        void leftOut(Path folder, String reason);
    }

    FolderWalk(DistributedFileSystem fs, Visitor visitor) {
        this.fs = fs;
        this.visitor = visitor;
    }

    /**
     * Lists the root, which may be a file.
     *
     * @throws IOException if the root itself is gone or may not be read
     */
    void walk(Path root) throws IOException {
        list(root);
        while (!folders.isEmpty()) {
            Path folder = folders.remove();
            try {
                list(folder);
            } catch (AccessControlException e) {
                visitor.leftOut(folder, "it may not be read");
            } catch (FileNotFoundException e) {
                visitor.leftOut(folder, "it went away while it was listed");
            }
        }
    }

    private void list(Path folder) throws IOException {
        RemoteIterator<LocatedFileStatus> found = fs.listLocatedStatus(folder);
        while (found.hasNext()) {
            LocatedFileStatus next = found.next();
            boolean root = next.getPath().equals(folder);
            if (!root && isHidden(next.getPath())) {
                continue;
            }
            if (next.isDirectory()) {
                folders.add(next.getPath());
            } else {
                visitor.file((HdfsLocatedFileStatus) next);
            }
        }
    }

    /** As MapReduce's input listing has it. */
    private static boolean isHidden(Path path) {
        return path.getName().startsWith(".") || path.getName().startsWith("_");
    }
}
