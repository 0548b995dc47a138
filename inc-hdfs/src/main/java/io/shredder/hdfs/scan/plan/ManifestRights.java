// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.plan;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Whether this user may give a file a manifest: it gets the file's owner, whom only the superuser can choose. Better
 * known before the file is read than after. For one thread.
 */
final class ManifestRights {

    private final Map<URI, Boolean> choosesOwners = new HashMap<>();

    /** Why he may not. */
    Optional<String> refusal(DistributedFileSystem fs, FileStatus file) throws IOException {
        String user = UserGroupInformation.getCurrentUser().getShortUserName();
        Boolean may = file.getOwner().equals(user) ? Boolean.TRUE : choosesOwners.get(fs.getUri());
        if (may == null) {
            may = mayChooseOwner(fs, file);
            choosesOwners.put(fs.getUri(), may);
        }
        return may
                ? Optional.empty()
                : Optional.of("it belongs to " + file.getOwner() + ", and only that user or the superuser can give it"
                        + " a manifest: scan it as one of them");
    }

    /** Asks by giving the file the owner that it has. */
    private static boolean mayChooseOwner(DistributedFileSystem fs, FileStatus file) throws IOException {
        try {
            fs.setOwner(file.getPath(), file.getOwner(), null);
            return true;
        } catch (AccessControlException e) {
            return false;
        } catch (FileNotFoundException e) {
            return true; // The scan says that it is gone.
        }
    }
}
