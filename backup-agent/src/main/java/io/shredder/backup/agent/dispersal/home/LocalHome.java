// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.home;

import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.backup.agent.storage.LocalStorage;
import io.shredder.backup.agent.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A folder of this machine. It is held by the lock of a file, which the kernel undoes when the process dies.
 *
 * @param folder whole path
 */
public record LocalHome(Path folder) implements KeeperHome {

    private static final String LOCK = "lock";
    private static final Set<String> OWN = Set.of(LOCK, "lost+found");

    @Override
    public Optional<ByteBuffer> read(String file) throws IOException {
        Path path = folder.resolve(file);
        return Files.exists(path) ? Optional.of(ByteBuffer.wrap(Files.readAllBytes(path))) : Optional.empty();
    }

    @Override
    public Optional<Set<String>> names() throws IOException {
        if (!Files.isDirectory(folder)) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return Optional.of(files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> !OWN.contains(name))
                    .collect(Collectors.toSet()));
        }
    }

    @Override
    public String path(String file) {
        return folder.resolve(file).toString();
    }

    @Override
    public boolean isSameAs(KeeperHome other) throws IOException {
        return other instanceof LocalHome local
                && Files.exists(folder)
                && Files.exists(local.folder)
                && Files.isSameFile(folder, local.folder);
    }

    @Override
    public HeldHome hold() throws IOException {
        FileChannel channel =
                FileChannel.open(folder.resolve(LOCK), StandardOpenOption.WRITE, StandardOpenOption.CREATE);
        try {
            if (channel.tryLock() == null) {
                throw new HomeInUseException("keeper " + folder + " is in use by another agent: stop that one first");
            }
            return new Held(folder, channel, lockKey(folder), new LocalStorage(folder));
        } catch (OverlappingFileLockException e) {
            channel.close();
            throw new HomeInUseException("keeper " + folder + " is in use by this process already");
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public String toString() {
        return folder.toString();
    }

    /** Which file the lock is, for as long as the disk is mounted; empty if it isn't there. */
    private static Optional<Object> lockKey(Path folder) {
        try {
            return Optional.ofNullable(Files.readAttributes(folder.resolve(LOCK), BasicFileAttributes.class)
                    .fileKey());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private record Held(Path folder, FileChannel lock, Optional<Object> key, LocalStorage files) implements HeldHome {

        @Override
        public boolean isStillThere() {
            return lockKey(folder).equals(key);
        }

        @Override
        public Storage storage() {
            return files;
        }

        @Override
        public boolean has(String file) {
            return Files.exists(folder.resolve(file));
        }

        /** The kernel has closed them. */
        @Override
        public void endWriting(String below, Predicate<String> mayBeOpen) {}

        @Override
        public void makeFolder(String name) throws IOException {
            Files.createDirectories(folder.resolve(name));
        }

        @Override
        public void rename(String file, String name) throws IOException {
            DurableFiles.publish(folder.resolve(file), folder.resolve(name));
        }

        @Override
        public void setModified(String file, Instant modified) throws IOException {
            Files.setLastModifiedTime(folder.resolve(file), FileTime.from(modified));
        }

        @Override
        public void close() throws IOException {
            try (lock) {
                files.close();
            }
        }
    }
}
