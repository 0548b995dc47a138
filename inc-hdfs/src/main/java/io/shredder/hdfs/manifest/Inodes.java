// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.manifest;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.ipc.RemoteException;

/** Files of HDFS by their inode ids, which no rename changes. */
public final class Inodes {

    private static final String FOLDER = "/.reserved/.inodes/";

    private Inodes() {}

    /** Opens as the file with this id does, with the permissions of wherever it is now. */
    static Path path(long id) {
        return new Path(FOLDER + id);
    }

    public static long idOf(DistributedFileSystem fs, Path file) throws IOException {
        return ((HdfsFileStatus) fs.getFileStatus(file)).getFileId();
    }

    /**
     * Whether a file with this id has a name. One that only a snapshot has is asked for by the name that it had, which
     * may be another's by now.
     *
     * @throws org.apache.hadoop.security.AccessControlException if this user may not know
     */
    public static boolean exists(DistributedFileSystem fs, long id) throws IOException {
        try {
            return idOf(fs, path(id)) == id;
        } catch (FileNotFoundException e) {
            return false;
        } catch (RemoteException e) {
            throwUnlessNameless(e);
            return false;
        }
    }

    /**
     * Whether ids lead to the files here that they are of. Not so through a Router, which asks one of its file systems
     * whatever folder the ids are from; another file may have the id there.
     *
     * @param known a file that has a name
     */
    public static boolean leadTo(DistributedFileSystem fs, HdfsFileStatus known) throws IOException {
        try {
            HdfsFileStatus found = (HdfsFileStatus) fs.getFileStatus(path(known.getFileId()));
            return found.getFileId() == known.getFileId()
                    && found.getLen() == known.getLen()
                    && found.getModificationTime() == known.getModificationTime()
                    && found.getOwner().equals(known.getOwner());
        } catch (FileNotFoundException e) {
            return false;
        }
    }

    /** A file that was renamed and deleted, but is in a snapshot, has no path, as the NameNode says if asked. */
    static void throwUnlessNameless(RemoteException e) throws RemoteException {
        if (!IllegalArgumentException.class.getName().equals(e.getClassName())) {
            throw e;
        }
    }
}
