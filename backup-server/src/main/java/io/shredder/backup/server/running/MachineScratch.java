// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.running;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder for what a machine overwrites while its disks are held, and for the socket at which they are read: nobody
 * but its owner, which is the user that QEMU runs as, looks into it.
 */
final class MachineScratch implements Closeable {

    private static final String PREFIX = "shredder-";
    /** What a folder is called until it is locked, and nobody else may tell by the lock whether it is in use. */
    private static final String UNLOCKED = ".";

    private static final Pattern NAME = Pattern.compile("(\\.?)" + PREFIX + "([0-9]+)-.*");
    private static final String LOCK = "lock";
    private static final long PATIENCE_S = 30;
    private static final Logger LOG = LoggerFactory.getLogger(MachineScratch.class);
    /** Those of this process. */
    private static final Set<Path> IN_USE = ConcurrentHashMap.newKeySet();

    private final Path folder;
    private final Optional<UserPrincipal> user;
    private final FileChannel lock;

    private MachineScratch(Path folder, Optional<UserPrincipal> user, FileChannel lock) {
        this.folder = folder;
        this.user = user;
        this.lock = lock;
    }

    /**
     * Whether a backup uses a folder: it is locked, by this process or another, whoever's that is. A folder without a
     * lock is the named process's.
     */
    static boolean isLive(Path folder) {
        if (IN_USE.contains(folder)) {
            return true; // The lock is not looked at: closing its file again would end it.
        }
        Matcher name = NAME.matcher(String.valueOf(folder.getFileName()));
        if (name.matches() && name.group(1).equals(UNLOCKED)) {
            return isOfAnother(folder, name);
        }
        try (FileChannel lock = openLock(folder.resolve(LOCK))) {
            return lock.tryLock() == null;
        } catch (NoSuchFileException e) {
            return name.matches() && isOfAnother(folder, name);
        } catch (IOException e) {
            return true; // Another user's: whether it lives is not ours to decide.
        }
    }

    /** Anybody may put a pipe or a link there: nothing but a file is opened, and what took its place never waits. */
    private static FileChannel openLock(Path lock) throws IOException {
        if (!Files.readAttributes(lock, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .isRegularFile()) {
            throw new IOException(lock + " is no file");
        }
        // Linux waits for the other side of a pipe that is opened to be written alone.
        return FileChannel.open(lock, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    }

    /** Whether the process that it is named after lives, and is not this one, all of whose folders are in use. */
    private static boolean isOfAnother(Path folder, Matcher name) {
        long process = Long.parseLong(name.group(2));
        return Files.isDirectory(folder)
                && process != ProcessHandle.current().pid()
                && ProcessHandle.of(process).isPresent();
    }

    /** What killed backups of this user left. */
    private static void clear(Path parent, UserPrincipal self) {
        try (Stream<Path> all = Files.list(parent)) {
            all.filter(folder -> NAME.matcher(folder.getFileName().toString()).matches())
                    .forEach(folder -> clearOne(folder, self));
        } catch (IOException | UncheckedIOException e) {
            LOG.debug("what killed backups left in {} stays", parent, e);
        }
    }

    private static void clearOne(Path folder, UserPrincipal self) {
        try {
            if (isOf(self, folder) && Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS) && !isLive(folder)) {
                delete(folder);
                LOG.warn("{} is deleted, which a backup left that was killed", folder);
            }
        } catch (IOException e) {
            LOG.debug("{} stays, which a killed backup may have left", folder, e);
        }
    }

    /** Where everybody may make folders, others' are left alone. A folder that was given away has our lock. */
    private static boolean isOf(UserPrincipal self, Path folder) throws IOException {
        if (Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).equals(self)) {
            return true;
        }
        Path lock = folder.resolve(LOCK);
        return Files.exists(lock, LinkOption.NOFOLLOW_LINKS)
                && Files.getOwner(lock, LinkOption.NOFOLLOW_LINKS).equals(self);
    }

    /** Goes through no link, whatever its owner puts in its place meanwhile. */
    private static void delete(Path folder) throws IOException {
        Path name = folder.getFileName();
        try (DirectoryStream<Path> parent = Files.newDirectoryStream(folder.getParent())) {
            SecureDirectoryStream<Path> above = (SecureDirectoryStream<Path>) parent;
            try (SecureDirectoryStream<Path> inside = above.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
                for (Path file : inside) {
                    inside.deleteFile(file.getFileName());
                }
            }
            above.deleteDirectory(name);
        } catch (NoSuchFileException e) {
            LOG.debug("{} has gone already", folder);
        }
    }

    /**
     * Makes it.
     *
     * @param parent where
     * @param user whose it is to be, if not the caller's
     */
    static MachineScratch make(Path parent, Optional<UserPrincipal> user) throws IOException {
        if (!Files.isDirectory(parent)) {
            throw new IOException("there is no folder " + parent + " for scratch files: make it, or name another with"
                    + " --scratch");
        }
        MachineScratch made = makeLocked(parent.toAbsolutePath(), user);
        made.give(made.folder);
        return made;
    }

    /** One at a time, so that none of this process's threads takes for a dead backup's what another is making. */
    private static synchronized MachineScratch makeLocked(Path parent, Optional<UserPrincipal> user)
            throws IOException {
        Path unlocked = Files.createTempDirectory(
                parent,
                UNLOCKED + PREFIX + ProcessHandle.current().pid() + "-",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        FileChannel lock =
                FileChannel.open(unlocked.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        IN_USE.add(unlocked);
        try {
            clear(parent, Files.getOwner(unlocked));
            lock.lock();
            String name = unlocked.getFileName().toString().substring(UNLOCKED.length());
            Path folder = Files.move(unlocked, parent.resolve(name), StandardCopyOption.ATOMIC_MOVE);
            IN_USE.add(folder);
            return new MachineScratch(folder, user, lock);
        } catch (IOException e) {
            lock.close();
            delete(unlocked);
            throw e;
        } finally {
            IN_USE.remove(unlocked);
        }
    }

    private void give(Path file) throws IOException {
        if (user.isPresent() && !Files.getOwner(file).equals(user.get())) {
            Files.setOwner(file, user.get());
        }
    }

    /** An empty qcow2 image, as long as a disk. */
    Path image(String name, long bytes) throws IOException {
        Path file = folder.resolve(name + ".qcow2");
        Process process = new ProcessBuilder(
                        List.of("qemu-img", "create", "-q", "-f", "qcow2", file.toString(), Long.toString(bytes)))
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        try {
            if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IOException("can't make scratch file " + file + ": qemu-img says: " + said.strip());
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        give(file);
        return file;
    }

    /** A file in it, which is not made. */
    Path file(String name) {
        return folder.resolve(name);
    }

    /** A file of text. */
    Path text(String name, String content) throws IOException {
        return Files.writeString(file(name), content);
    }

    Path socket() {
        return folder.resolve("nbd");
    }

    @Override
    public void close() throws IOException {
        try (lock) {
            delete(folder);
        } finally {
            IN_USE.remove(folder);
        }
    }
}
