// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.guest;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/** Owners and permissions of files below a folder, given through no link that somebody puts there meanwhile. */
final class FileDress {

    /** An id of Linux has 32 bits; the last one stands for none. */
    private static final long MOST_ID = 0xffff_fffeL;

    private FileDress() {}

    /** Gives a file its owner, which only root can. */
    static void own(Path path, FileFacts.Ownership owner) throws IOException {
        Files.setAttribute(path, "unix:uid", id(owner.uid()), LinkOption.NOFOLLOW_LINKS);
        Files.setAttribute(path, "unix:gid", id(owner.gid()), LinkOption.NOFOLLOW_LINKS);
    }

    /** As Java takes it: with its sign. */
    static int id(long id) throws IOException {
        if (id < 0 || id > MOST_ID) {
            throw new IOException("has the owner or group " + id + ", which nobody can be");
        }
        return (int) id;
    }

    /** Goes to the file from the root, a folder at a time, of which one is open. */
    static void setMode(Path root, Path path, int mode) throws IOException {
        try (DirectoryStream<Path> first = Files.newDirectoryStream(root)) {
            // As every file system of Linux has them.
            SecureDirectoryStream<Path> folder = (SecureDirectoryStream<Path>) first;
            try {
                Path below = root.relativize(path);
                for (int i = 0; i < below.getNameCount() - 1; i++) {
                    try (SecureDirectoryStream<Path> above = folder) {
                        folder = above.newDirectoryStream(below.getName(i), LinkOption.NOFOLLOW_LINKS);
                    }
                }
                PosixFileAttributeView view = path.equals(root)
                        ? folder.getFileAttributeView(PosixFileAttributeView.class)
                        : folder.getFileAttributeView(
                                path.getFileName(), PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
                view.setPermissions(permissions(mode));
            } finally {
                folder.close();
            }
        }
    }

    static Set<PosixFilePermission> permissions(int mode) {
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        PosixFilePermission[] all = PosixFilePermission.values();
        for (int i = 0; i < all.length; i++) {
            if ((mode & (0400 >> i)) != 0) {
                permissions.add(all[i]);
            }
        }
        return permissions;
    }
}
