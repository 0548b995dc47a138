// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.storage;

import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.backup.agent.file.LostData;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A folder of a local file system. */
public final class LocalStorage implements Storage {

    private final Path root;
    private final WriteBehind behind = new WriteBehind();
    private final Object folders = new Object();

    /** Keeps its files in this folder, which must be there before anything is written. */
    public LocalStorage(Path root) {
        this.root = root;
    }

    @Override
    public List<StoredFile> list(String folder) throws IOException {
        List<StoredFile> found = new ArrayList<>();
        Path start = root.resolve(folder);
        if (!Files.isDirectory(start)) {
            return found;
        }
        Files.walkFileTree(start, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (attributes.isRegularFile()) {
                    found.add(new StoredFile(root.relativize(file).toString(), attributes.size()));
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException problem) throws IOException {
                if (problem instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE; // Deleted meanwhile.
                }
                throw problem;
            }
        });
        return found;
    }

    @Override
    public ReadableFile open(String file) throws IOException {
        FileChannel channel = openToRead(file);
        return new ReadableFile() {
            @Override
            public long size() throws IOException {
                return channel.size();
            }

            @Override
            public void readFully(ByteBuffer target, long position) throws IOException {
                int from = target.position();
                try {
                    DurableFiles.readFully(channel, target, position);
                } catch (IOException e) {
                    throw LostData.named(e, file, position + target.position() - from);
                }
            }

            @Override
            public void close() throws IOException {
                channel.close();
            }
        };
    }

    private FileChannel openToRead(String file) throws IOException {
        try {
            return FileChannel.open(root.resolve(file), StandardOpenOption.READ);
        } catch (IOException e) {
            throw LostData.named(e, file, 0);
        }
    }

    /** By one thread at a time: a folder that is there is durable. */
    private void createFolders(Path file) throws IOException {
        synchronized (folders) {
            DurableFiles.createFolders(root, DurableFiles.folderOf(file));
        }
    }

    @Override
    public AppendableFile create(String file, ByteBuffer head) throws IOException {
        Path path = root.resolve(file);
        createFolders(path);
        FileChannel channel = FileChannel.open(
                path, StandardOpenOption.WRITE, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
        try {
            long length = head.remaining();
            DurableFiles.writeFully(channel, head, 0);
            channel.force(true);
            DurableFiles.forceFolder(DurableFiles.folderOf(path));
            return new LocalAppendable(channel, length, behind);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public Optional<AppendableFile> resume(String file, long bytes) throws IOException {
        FileChannel channel = FileChannel.open(root.resolve(file), StandardOpenOption.WRITE);
        return Optional.of(new LocalAppendable(channel, bytes, behind));
    }

    @Override
    public boolean resumes() {
        return true;
    }

    /** A local file is closed with its process. */
    @Override
    public void endWriting(String file) {}

    @Override
    public void force(String file) throws IOException {
        Path path = root.resolve(file);
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        DurableFiles.forceFolder(DurableFiles.folderOf(path));
    }

    @Override
    public void cut(String file, long bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(root.resolve(file), StandardOpenOption.WRITE)) {
            channel.truncate(bytes);
            channel.force(true);
        }
    }

    @Override
    public void delete(String file) throws IOException {
        Path path = root.resolve(file);
        Files.delete(path);
        DurableFiles.forceFolder(DurableFiles.folderOf(path));
    }

    @Override
    public void publish(Path whole, String file) throws IOException {
        Path path = root.resolve(file);
        createFolders(path);
        DurableFiles.publish(whole, path);
    }

    @Override
    public void replace(String file, ByteBuffer bytes) throws IOException {
        Path path = root.resolve(file);
        createFolders(path);
        Path temporary = path.resolveSibling(path.getFileName() + ".tmp");
        try (FileChannel channel = FileChannel.open(
                temporary, StandardOpenOption.WRITE, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING)) {
            DurableFiles.writeFully(channel, bytes, 0);
            channel.force(true);
        }
        DurableFiles.publish(temporary, path);
    }

    @Override
    public Optional<ByteBuffer> read(String file) throws IOException {
        try {
            return Optional.of(ByteBuffer.wrap(Files.readAllBytes(root.resolve(file))));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    @Override
    public long size(String file) throws IOException {
        return Files.size(root.resolve(file));
    }

    @Override
    public Instant lastModified(String file) throws IOException {
        return Files.getLastModifiedTime(root.resolve(file)).toInstant();
    }

    @Override
    public Optional<Path> local(String file) {
        return Optional.of(root.resolve(file));
    }

    @Override
    public long usableBytes() {
        return root.toFile().getUsableSpace();
    }

    @Override
    public String toString() {
        return root.toString();
    }

    @Override
    public void close() {
        behind.close();
    }
}
