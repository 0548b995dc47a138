// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.running;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
    private static final Pattern NAME = Pattern.compile(PREFIX + "([0-9]+)-.*");
    private static final String LOCK = "lock";
    private static final long PATIENCE_S = 30;
    private static final Logger LOG = LoggerFactory.getLogger(MachineScratch.class);
    /** Those of this process. */
    private static final Set<Path> IN_USE = ConcurrentHashMap.newKeySet();

    private final Path folder;
    private final Optional<UserPrincipal> user;
    private final FileChannel lock;

    private MachineScratch(Path folder, Optional<UserPrincipal> user) throws IOException {
        this.folder = folder;
        this.user = user;
        this.lock = FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        lock.lock();
    }

    /**
     * Whether a backup uses a folder: it is locked, by this process or another, whoever's that is. A folder without a
     * lock is the named process's.
     */
    static boolean isLive(Path folder) {
        if (IN_USE.contains(folder)) {
            return true; // The lock is not looked at: closing its file again would end it.
        }
        try (FileChannel lock = FileChannel.open(folder.resolve(LOCK), StandardOpenOption.WRITE)) {
            return lock.tryLock() == null;
        } catch (NoSuchFileException e) {
            Matcher name = NAME.matcher(String.valueOf(folder.getFileName()));
            return Files.isDirectory(folder)
                    && name.matches()
                    && Long.parseLong(name.group(1)) != ProcessHandle.current().pid()
                    && ProcessHandle.of(Long.parseLong(name.group(1))).isPresent();
        } catch (IOException e) {
            return true; // Another user's: whether it lives is not ours to decide.
        }
    }

    /** What killed backups left, as far as this user may take it away. */
    private static void clear(Path parent) {
        try (Stream<Path> all = Files.list(parent)) {
            for (Path folder : (Iterable<Path>) all::iterator) {
                boolean isOurs = NAME.matcher(folder.getFileName().toString()).matches();
                if (isOurs && Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS) && !isLive(folder)) {
                    delete(folder);
                    LOG.warn("{} is deleted, which a backup left that was killed", folder);
                }
            }
        } catch (IOException e) {
            LOG.debug("what killed backups left in {} stays", parent, e);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(folder);
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
        clear(parent.toAbsolutePath());
        Path folder = Files.createTempDirectory(
                parent.toAbsolutePath(),
                PREFIX + ProcessHandle.current().pid() + "-",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        IN_USE.add(folder);
        MachineScratch made = new MachineScratch(folder, user);
        made.give(folder);
        return made;
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
