// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.memo;

import io.shredder.incoop.config.IncoopKeys;
import java.io.IOException;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.UserGroupInformation;

/** A folder of the store that nobody but its user may write to: what lies there becomes the output of his jobs. */
final class OwnFolder {

    private static final FsPermission OWNER_ONLY = new FsPermission((short) 0700);

    private OwnFolder() {}

    /**
     * Makes it, unless it is there.
     *
     * @throws IOException if it can't be made, is another user's, or others may write to it
     */
    static void make(FileSystem fs, Path folder) throws IOException {
        if (!fs.mkdirs(folder, OWNER_ONLY)) {
            throw new IOException("can't make the folder " + folder);
        }
        if (fs.hasPathCapability(folder, CommonPathCapabilities.FS_PERMISSIONS)) {
            check(fs.getFileStatus(folder));
        }
    }

    private static void check(FileStatus folder) throws IOException {
        String user = UserGroupInformation.getCurrentUser().getShortUserName();
        if (!folder.getOwner().equals(user)) {
            throw new IOException(folder.getPath() + " belongs to " + folder.getOwner() + ", who could give " + user
                    + "'s jobs other results: " + oneOfEachUser());
        }
        FsPermission mode = folder.getPermission();
        if (mode.getGroupAction().implies(FsAction.WRITE)
                || mode.getOtherAction().implies(FsAction.WRITE)) {
            throw new IOException("others may write to " + folder.getPath() + ", and so give " + user
                    + "'s jobs other results: chmod it to 700, or " + oneOfEachUser());
        }
    }

    private static String oneOfEachUser() {
        return "give each user a store, as by " + IncoopKeys.MEMO_DIR + "=/FOLDER/${user.name}";
    }
}
