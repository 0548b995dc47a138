// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.programs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * What the system tells of a file.
 *
 * @param inode its number there
 * @param mode with the file's kind
 * @param owner user and group
 * @param size in bytes
 * @param device which one it is, if it is one
 * @param changedNs when its content was changed, since 1970
 * @param statusChangedNs when any of this was changed, since 1970
 */
record UnixAttributes(
        long inode, int mode, String owner, long size, long device, long changedNs, long statusChangedNs) {

    private static final int MODE_OF_KIND = 0170000;
    private static final int FOLDER = 0040000;
    private static final int ORDINARY = 0100000;

    static UnixAttributes of(Path path, LinkOption... options) throws IOException {
        Map<String, Object> all =
                Files.readAttributes(path, "unix:ino,mode,uid,gid,size,rdev,lastModifiedTime,ctime", options);
        return new UnixAttributes(
                (Long) value(all, "ino"),
                (Integer) value(all, "mode"),
                value(all, "uid") + ":" + value(all, "gid"),
                (Long) value(all, "size"),
                (Long) value(all, "rdev"),
                ((FileTime) value(all, "lastModifiedTime")).to(TimeUnit.NANOSECONDS),
                ((FileTime) value(all, "ctime")).to(TimeUnit.NANOSECONDS));
    }

    private static Object value(Map<String, Object> all, String name) {
        return Objects.requireNonNull(all.get(name), name);
    }

    static boolean isFolder(int mode) {
        return (mode & MODE_OF_KIND) == FOLDER;
    }

    boolean isFolder() {
        return isFolder(mode);
    }

    boolean isOrdinary() {
        return (mode & MODE_OF_KIND) == ORDINARY;
    }

    /** As {@code child-watch} writes it. */
    String stamp() {
        return String.format("%d:%o:%d:%s:%s", inode, mode, size, seconds(changedNs), seconds(statusChangedNs));
    }

    private static String seconds(long ns) {
        return String.format("%d.%09d", Math.floorDiv(ns, 1_000_000_000L), Math.floorMod(ns, 1_000_000_000L));
    }
}
