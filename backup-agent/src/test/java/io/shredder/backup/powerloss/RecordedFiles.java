// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.powerloss;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Real files under a folder, reached by paths of a file system of its own that writes down every change, so that the
 * code under test is the code as it is. Safe for any number of threads: a change and its record are one step.
 */
public final class RecordedFiles extends FileSystemProvider {

    private static final int UNKNOWN = -1;

    private final Path root;
    private final RecordedFileSystem fileSystem = new RecordedFileSystem(this);
    private final List<DiskChange> changes = new ArrayList<>();
    /** Which file a name stands for. */
    private final Map<String, Integer> files = new HashMap<>();

    /** What the disk holds, as far as it was written down. */
    private final DiskImage live = new DiskImage();

    /** Bytes that can't be read any more, by file. */
    private final Map<Integer, NavigableSet<Long>> lost = new HashMap<>();

    private final int maxPauseMicros;
    private int lastFile;

    /** Changes that wait; none but in tests of who waits for whom. */
    private volatile Predicate<DiskChange> held = change -> false;

    /** Changes for which there is no room. */
    private volatile Predicate<DiskChange> tooLarge = change -> false;

    private final Semaphore waiting = new Semaphore(0);

    /** Thrown instead of the next opening of a file below this folder. */
    private @Nullable IOException failure;

    private @Nullable Path failing;

    /** A disk that doesn't answer: questions whether something is there wait. */
    private @Nullable Path hung;

    /** Records what happens in this folder, which is there and empty. */
    public RecordedFiles(Path root) {
        this(root, 0);
    }

    /** The same, with a pause before some changes, of up to so long, so that threads meet in other orders. */
    public RecordedFiles(Path root, int maxPauseMicros) {
        this.root = root.toAbsolutePath();
        this.maxPauseMicros = maxPauseMicros;
    }

    /** The folder; all that is reached from here is recorded. */
    public Path root() {
        return new RecordedPath(fileSystem, root);
    }

    /** All changes so far. */
    public synchronized List<DiskChange> changes() {
        return List.copyOf(changes);
    }

    /** Writes down that something is promised from here on. */
    public synchronized void mark(Object what) {
        add(new DiskChange.Mark(what));
    }

    /** From now on a file can be read up to this byte, and again behind it, as if the byte were in a bad sector. */
    public synchronized void lose(String file, long at) {
        Integer number = files.get(file);
        if (number == null) {
            throw new IllegalArgumentException("there is no file " + file + " among " + files.keySet());
        }
        lost.computeIfAbsent(number, unread -> new TreeSet<>()).add(at);
    }

    /** Puts bytes back that were lost. */
    public synchronized void findAgain() {
        lost.clear();
    }

    /**
     * How many of so many bytes can be read from here on.
     *
     * @throws IOException in the system's words, if there are none
     */
    synchronized int readable(int file, long position, int bytes) throws IOException {
        Long at = lost.getOrDefault(file, Collections.emptyNavigableSet()).ceiling(position);
        if (at == null || at >= position + bytes) {
            return bytes;
        } else if (at == position) {
            throw new IOException("Input/output error");
        }
        return (int) (at - position);
    }

    /** From now on changes of this kind wait until others are held. */
    public synchronized void hold(Predicate<DiskChange> kind) {
        held = kind;
        notifyAll();
    }

    /** From now on there is no room on the disk for changes of this kind. */
    public void fill(Predicate<DiskChange> kind) {
        tooLarge = kind;
    }

    /** Waits until somebody makes a change that is held. */
    public void awaitHeld() {
        waiting.acquireUninterruptibly();
    }

    /** From now on nobody is told whether something below this folder is there, until another folder or none hangs. */
    public synchronized void hang(@Nullable Path folder) {
        hung = folder == null ? null : real(folder);
        notifyAll();
    }

    /** The next file below this folder that is opened can't be, once. */
    public synchronized void failOpening(Path folder, IOException thrown) {
        failing = real(folder);
        failure = thrown;
    }

    private void failIfTold(Path real) throws IOException {
        IOException thrown = failure;
        if (thrown != null && failing != null && real.startsWith(failing)) {
            failure = null;
            throw thrown;
        }
    }

    private synchronized void waitIfHung(Path real) throws InterruptedIOException {
        while (hung != null && real.startsWith(hung)) {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new InterruptedIOException("interrupted");
            }
        }
    }

    private synchronized void waitIfHeld(DiskChange change) {
        if (held.test(change)) {
            waiting.release();
        }
        while (held.test(change)) {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    RecordedFileSystem fileSystem() {
        return fileSystem;
    }

    private static Path real(Path path) {
        return ((RecordedPath) path).real();
    }

    private String name(Path path) {
        return root.relativize(real(path).toAbsolutePath().normalize()).toString();
    }

    /** Does something to a disk and writes it down, as one step. */
    interface Step {
        void run() throws IOException;
    }

    void change(Step step, DiskChange change) throws IOException {
        pause();
        waitIfHeld(change);
        if (tooLarge.test(change)) {
            throw new IOException("No space left on device");
        }
        changeNow(step, change);
    }

    private void pause() {
        if (maxPauseMicros > 0 && ThreadLocalRandom.current().nextInt(4) == 0) {
            LockSupport.parkNanos(1_000L * ThreadLocalRandom.current().nextInt(maxPauseMicros));
        }
    }

    private synchronized void changeNow(Step step, DiskChange change) throws IOException {
        step.run();
        if (change instanceof DiskChange.ForceFile forced) {
            findUnseen(forced.file());
        }
        add(change);
    }

    private void add(DiskChange change) {
        changes.add(change);
        live.apply(change);
    }

    /** Holes are made by the system's own call, past this provider: they are written down once the file is forced. */
    private void findUnseen(int file) throws IOException {
        for (Map.Entry<String, Integer> name : files.entrySet()) {
            if (name.getValue() == file) {
                byte[] now = Files.readAllBytes(root.resolve(name.getKey()));
                int from = Arrays.mismatch(live.now(file), now);
                if (from >= 0 && from < now.length) {
                    add(new DiskChange.Write(file, from, Arrays.copyOfRange(now, from, now.length)));
                }
            }
        }
    }

    @Override
    public synchronized FileChannel newFileChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        Path real = real(path);
        if (Files.isDirectory(real)) {
            String folder = name(path);
            FileChannel channel = FileChannel.open(real, options, attributes);
            return new RecordedChannel(this, channel, () -> new DiskChange.ForceFolder(folder), UNKNOWN);
        }
        failIfTold(real);
        boolean existed = Files.exists(real);
        FileChannel channel = FileChannel.open(real, options, attributes);
        if (!options.contains(StandardOpenOption.WRITE)) {
            int read = files.getOrDefault(name(path), UNKNOWN);
            return new RecordedChannel(this, channel, () -> new DiskChange.ForceFile(read), read);
        }
        if (!existed) {
            files.put(name(path), ++lastFile);
            add(new DiskChange.Create(name(path), lastFile));
        }
        int file =
                files.computeIfAbsent(name(path), name -> ++lastFile); // Known unless it was there before all records.
        if (existed && options.contains(StandardOpenOption.TRUNCATE_EXISTING)) {
            add(new DiskChange.Truncate(file, 0));
        }
        return new RecordedChannel(this, channel, () -> new DiskChange.ForceFile(file), file);
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        return newFileChannel(path, options, attributes);
    }

    @Override
    public void createDirectory(Path folder, FileAttribute<?>... attributes) throws IOException {
        change(() -> Files.createDirectory(real(folder), attributes), new DiskChange.MakeFolder(name(folder)));
    }

    @Override
    public void delete(Path path) throws IOException {
        waitIfHeld(new DiskChange.Delete(name(path)));
        deleteNow(path);
    }

    private synchronized void deleteNow(Path path) throws IOException {
        change(() -> Files.delete(real(path)), new DiskChange.Delete(name(path)));
        files.remove(name(path));
    }

    @Override
    public void move(Path from, Path to, CopyOption... options) throws IOException {
        waitIfHeld(new DiskChange.Rename(name(from), name(to)));
        moveNow(from, to, options);
    }

    private synchronized void moveNow(Path from, Path to, CopyOption... options) throws IOException {
        change(() -> Files.move(real(from), real(to), options), new DiskChange.Rename(name(from), name(to)));
        files.put(name(to), files.remove(name(from)));
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path folder, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> real = Files.newDirectoryStream(real(folder))) {
            for (Path path : real) {
                Path recorded = new RecordedPath(fileSystem, path);
                if (filter.accept(recorded)) {
                    found.add(recorded);
                }
            }
        }
        return new DirectoryStream<>() {
            @Override
            public java.util.Iterator<Path> iterator() {
                return found.iterator();
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        Path real = real(path);
        waitIfHung(real);
        real.getFileSystem().provider().checkAccess(real, modes);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        return Files.readAttributes(real(path), type, options);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) throws IOException {
        return Files.readAttributes(real(path), attributes, options);
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(Path path, Class<V> type, LinkOption... options) {
        return Files.getFileAttributeView(real(path), type, options);
    }

    @Override
    public boolean isSameFile(Path one, Path other) throws IOException {
        return Files.isSameFile(real(one), real(other));
    }

    @Override
    public boolean isHidden(Path path) throws IOException {
        return Files.isHidden(real(path));
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
        return Files.getFileStore(real(path));
    }

    @Override
    public void setAttribute(Path path, String attribute, Object value, LinkOption... options) throws IOException {
        Files.setAttribute(real(path), attribute, value, options);
    }

    @Override
    public void copy(Path from, Path to, CopyOption... options) {
        throw new UnsupportedOperationException("copies are not recorded");
    }

    @Override
    public String getScheme() {
        return "recorded";
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> environment) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Path getPath(URI uri) {
        throw new UnsupportedOperationException();
    }
}
