// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.programs;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * A file or folder that a program has asked for.
 *
 * @param how what it was asked for
 * @param path absolute; not normalised, since links may stand on the way
 * @param stamp how it stood then: {@code -} if it was not there, else inode, mode, length and times
 */
record SeenFile(How how, Path path, String stamp) {

    /** What a program may ask of a file. */
    enum How {
        /** Its content. */
        READ,
        /** Its attributes, or whether it is there. */
        ASK,
        /** The attributes or the target of a link itself. */
        LINK,
        /** The names in a folder. */
        LIST
    }

    /** Whether it is unchanged since. Of an ever-changing folder that was only asked about, the kind counts. */
    boolean isUnchanged() throws IOException {
        String now = stampOf(path, how);
        boolean attributesAlone = how == How.ASK || how == How.LINK;
        if (attributesAlone && isFolder(stamp) && ProgramStates.isChanging(path)) {
            return isFolder(now);
        }
        return now.equals(stamp);
    }

    private static boolean isFolder(String stamp) {
        String[] parts = stamp.split(":", -1);
        return parts.length > 1 && UnixAttributes.isFolder(Integer.parseInt(parts[1], 8));
    }

    private static String stampOf(Path path, How how) throws IOException {
        LinkOption[] options = how == How.LINK ? new LinkOption[] {LinkOption.NOFOLLOW_LINKS} : new LinkOption[0];
        try {
            return UnixAttributes.of(path, options).stamp();
        } catch (FileSystemException e) {
            // Not there, or not to be reached.
            return "-";
        }
    }
}
