// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.recovery;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder to which people restore at the console, by names of files alone. Nobody but root and the daemon's user may
 * put another in its place, or anything into it, so that no name can come to lead elsewhere: that is looked at anew
 * before each restore.
 *
 * @param path absolute, without dots
 */
record RestoreFolder(Path path) {

    private static final Logger LOG = LoggerFactory.getLogger(RestoreFolder.class);
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._+@-]{0,127}");

    /** As {@code FileTarget} calls what is not whole yet. */
    private static final Pattern LEFT_OVER = Pattern.compile("\\..+\\.restoring-([0-9]{1,10})");

    private static final int OTHERS_WRITE = 022;
    private static final int STICKY = 01000;
    private static final int ROOT = 0;
    private static final int MOST_SHOWN = 100;

    /** Makes it absolute, so that what is looked at is what is used. */
    RestoreFolder {
        path = path.toAbsolutePath().normalize();
    }

    /**
     * Refuses what is no plain name of a file.
     *
     * @throws IllegalArgumentException naming it
     */
    static String checkedName(String name) {
        if (!NAME.matcher(name).matches()) {
            String head = name.length() > MOST_SHOWN ? name.substring(0, MOST_SHOWN) + "..." : name;
            throw new IllegalArgumentException("'to' is '" + head.replaceAll("[^\\x20-\\x7e]", "?")
                    + "': give the name of a new file, 1 to 128 letters, digits, '.', '_', '+', '@' and '-', a letter"
                    + " or digit first");
        }
        return name;
    }

    /**
     * Where a new file of this name goes.
     *
     * @param name checked
     * @throws IOException if the folder is none, others may change it, or something is there by that name
     */
    Path file(String name) throws IOException {
        check();
        Path file = path.resolve(name);
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(file + " exists: give another name");
        }
        return file;
    }

    private void check() throws IOException {
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("'console.restore-to', " + path + ", is no folder: make it");
        } else if (!path.toRealPath().equals(path)) {
            throw new IOException("'console.restore-to', " + path + ", leads through a symbolic link: name "
                    + path.toRealPath() + " in the configuration");
        } else if (!Files.isWritable(path)) {
            throw new IOException("this daemon can't write to 'console.restore-to', " + path
                    + ": give the folder to its user, and name it as ReadWritePaths in a unit of systemd's");
        }
        int own = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        for (Path each = path; each != null; each = each.getParent()) {
            checkOwner(each, own, each.equals(path));
        }
    }

    /** Whoever may write a folder may exchange what is in it, unless it is sticky and not the last. */
    private void checkOwner(Path folder, int own, boolean last) throws IOException {
        int owner = (Integer) Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        int mode = (Integer) Files.getAttribute(folder, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        boolean protects = !last && (mode & STICKY) != 0;
        if (owner != ROOT && owner != own) {
            throw new IOException("others may change where 'console.restore-to' leads: " + folder + " is of user "
                    + owner + "; have it be of root or of this daemon's user");
        } else if ((mode & OTHERS_WRITE) != 0 && !protects) {
            throw new IOException("others may change where 'console.restore-to' leads: say chmod go-w " + folder);
        }
    }

    /** Removes what a daemon that was killed has left. */
    void clear() {
        try {
            check();
            try (DirectoryStream<Path> hidden = Files.newDirectoryStream(path, ".*.restoring-*")) {
                for (Path file : hidden) {
                    if (isLeftOver(file)) {
                        Files.delete(file);
                        LOG.info("removed {}, a restore that was not finished", file);
                    }
                }
            }
        } catch (IOException e) {
            LOG.warn("restores that were not finished are not looked for: {}", e.getMessage());
        }
    }

    private static boolean isLeftOver(Path file) {
        Matcher name = LEFT_OVER.matcher(String.valueOf(file.getFileName()));
        if (!name.matches() || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        long writer = Long.parseLong(name.group(1));
        Optional<ProcessHandle> alive = ProcessHandle.of(writer).filter(ProcessHandle::isAlive);
        return alive.isEmpty() || writer == ProcessHandle.current().pid();
    }
}
