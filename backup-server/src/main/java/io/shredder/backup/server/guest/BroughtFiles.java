// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.guest;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Puts files of an image below a folder, with their permissions and times, and as root their owners. Whatever an image
 * says, nothing is written outside the folder: names are single names, no link below the folder is gone through, and
 * links of the image are made when all files are there. Bits that lend rights (set-user-ID and its like) are left out;
 * devices, pipes and sockets are not made. A file gets its name when all of it is there. One thread, but for
 * {@link #close}.
 */
public final class BroughtFiles implements FileListener, Closeable {

    private static final int HOLE_BYTES = 4096;
    private static final Set<PosixFilePermission> OURS_ALONE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> OUR_FOLDER = PosixFilePermissions.fromString("rwx------");

    private final Path root;
    private final Rules rules;
    private final BiConsumer<String, String> failures;
    private final BiConsumer<String, String> remarks;
    private final AtomicLong writtenBytes = new AtomicLong();
    private final AtomicLong files = new AtomicLong();

    /** Files of several names that this object has made: others may be made links of these alone. */
    private final Set<Path> linkable = new HashSet<>();

    private final Deque<Made> folders = new ArrayDeque<>();
    private final Deque<Made> links = new ArrayDeque<>();
    private volatile @Nullable OpenFile open;
    private volatile boolean closed;

    /**
     * What may be done.
     *
     * @param overwrite whether files that are there are replaced
     * @param owners whether files get the owners they have in the image, which only root can
     * @param mostBytes of one file; a longer one is refused
     */
    public record Rules(boolean overwrite, boolean owners, long mostBytes) {}

    private record Made(Path path, FileFacts facts) {}

    private record OpenFile(Path partial, Path path, FileFacts facts, FileChannel channel) {}

    /**
     * Below a folder, which is made if it is not there.
     *
     * @param failures gets path and reason of what could not be brought
     * @param remarks gets path and reason of what was left out on purpose
     */
    public BroughtFiles(Path root, Rules rules, BiConsumer<String, String> failures, BiConsumer<String, String> remarks)
            throws IOException {
        this.root = Files.createDirectories(root).toRealPath();
        this.rules = rules;
        this.failures = failures;
        this.remarks = remarks;
    }

    /** Bytes of files that were written until now; any thread may ask. */
    public long writtenBytes() {
        return writtenBytes.get();
    }

    /** Files that are there whole; any thread may ask. */
    public long files() {
        return files.get();
    }

    @Override
    public void found(FileFacts facts) throws IOException {
        finishFile();
        if (closed) {
            throw new IOException("no more files are wanted");
        }
        try {
            begin(facts, place(facts.path()));
        } catch (IOException | RuntimeException e) {
            failures.accept(facts.path(), reason(e));
        }
    }

    private void begin(FileFacts facts, Path path) throws IOException {
        switch (facts.kind()) {
            case FOLDER -> {
                makeFolders(path);
                folders.push(new Made(path, facts));
            }
            case FILE -> beginFile(facts, path);
            case LINK -> links.add(new Made(path, facts));
            case HARD_LINK -> makeHardLink(facts, path);
            default -> remarks.accept(facts.path(), "a " + facts.kind().word() + " is not made");
        }
    }

    private void beginFile(FileFacts facts, Path path) throws IOException {
        if (facts.size() > rules.mostBytes()) {
            throw new IOException("says that it has " + facts.size()
                    + " bytes, more than the whole image: if that is so, --sparse brings it");
        }
        makeFolders(above(path));
        refuseOther(path);
        Path partial = Files.createTempFile(
                above(path), ".shredder-", ".part", PosixFilePermissions.asFileAttribute(OURS_ALONE));
        open = new OpenFile(partial, path, facts, FileChannel.open(partial, StandardOpenOption.WRITE));
    }

    @Override
    public void bytes(ByteBuffer piece) throws IOException {
        OpenFile file = open;
        if (file == null) {
            return; // the file has failed, and the reader doesn't know
        }
        writtenBytes.addAndGet(piece.remaining());
        try {
            writeButZeros(file.channel(), piece);
        } catch (IOException e) {
            drop(file);
            failures.accept(file.facts().path(), reason(e));
        }
    }

    private static void writeButZeros(FileChannel channel, ByteBuffer piece) throws IOException {
        while (piece.hasRemaining()) {
            int count = 0;
            boolean hole = isZero(piece, 0);
            do {
                count += HOLE_BYTES;
            } while (count < piece.remaining() && isZero(piece, count) == hole);
            int length = Math.min(count, piece.remaining());
            if (hole) {
                channel.position(channel.position() + length);
            } else {
                ByteBuffer part = piece.slice(piece.position(), length);
                while (part.hasRemaining()) {
                    channel.write(part);
                }
            }
            piece.position(piece.position() + length);
        }
    }

    private static boolean isZero(ByteBuffer piece, int from) {
        int end = Math.min(from + HOLE_BYTES, piece.remaining());
        for (int i = from; i < end; i++) {
            if (piece.get(piece.position() + i) != 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void failed(String path, String why) {
        OpenFile file = open;
        if (file != null) {
            drop(file);
        }
        failures.accept(path, why);
    }

    /** Makes links, and gives folders their times, for which nothing may change in them any more. */
    public void finish() {
        finishFile();
        for (Made link : links) {
            attempt(link.facts(), () -> makeLink(link));
        }
        links.clear();
        for (Made folder : folders) {
            attempt(folder.facts(), () -> dress(folder.path(), folder.facts()));
        }
        folders.clear();
    }

    private interface Step {
        void run() throws IOException;
    }

    private void attempt(FileFacts facts, Step step) {
        try {
            step.run();
        } catch (IOException | RuntimeException e) {
            failures.accept(facts.path(), reason(e));
        }
    }

    private void finishFile() {
        OpenFile file = open;
        if (file == null) {
            return;
        }
        open = null;
        attempt(file.facts(), () -> {
            try (FileChannel channel = file.channel()) {
                long size = file.facts().size();
                if (channel.size() < size) { // it ends with a hole
                    channel.write(ByteBuffer.allocate(1), size - 1);
                }
            }
            dress(file.partial(), file.facts());
            publish(file.partial(), file.path());
            files.incrementAndGet();
            if (file.facts().names() > 1) {
                linkable.add(file.path());
            }
        });
        deleteQuietly(file.partial());
    }

    private void publish(Path partial, Path path) throws IOException {
        checkFolders(above(path));
        refuseOther(path);
        Files.move(partial, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private void makeLink(Made link) throws IOException {
        makeFolders(above(link.path()));
        refuseOther(link.path());
        Files.deleteIfExists(link.path());
        Files.createSymbolicLink(
                link.path(),
                link.path().getFileSystem().getPath(link.facts().target().orElseThrow()));
        own(link.path(), link.facts());
        setTime(link.path(), link.facts());
    }

    private void makeHardLink(FileFacts facts, Path path) throws IOException {
        Path first = place(facts.target().orElseThrow());
        if (!linkable.contains(first)) {
            throw new IOException("is another name of "
                    + PlainText.of(facts.target().orElseThrow()) + ", which could not be brought");
        }
        makeFolders(above(path));
        refuseOther(path);
        checkFolders(above(first));
        Files.deleteIfExists(path);
        Files.createLink(path, first);
        files.incrementAndGet();
    }

    /** Where a path of the image lies here. */
    private Path place(String path) throws IOException {
        if (!path.startsWith("/")) {
            throw new IOException("is no path");
        }
        Path place = root;
        for (String name : path.substring(1).split("/", -1)) {
            if (name.equals("..")
                    || name.equals(".")
                    || name.indexOf('\0') >= 0
                    || (name.isEmpty() && path.length() > 1)) {
                throw new IOException("has a name that no file can have");
            }
            place = place.resolve(name);
        }
        return place;
    }

    /** Makes a folder and those above it; one that is there must be a folder itself, no link to one. */
    private void makeFolders(Path folder) throws IOException {
        Path made = root;
        for (Path name : root.relativize(folder)) {
            if (name.toString().isEmpty()) {
                continue;
            }
            made = made.resolve(name);
            if (!Files.exists(made, LinkOption.NOFOLLOW_LINKS)) {
                Files.createDirectory(made, PosixFilePermissions.asFileAttribute(OUR_FOLDER));
            }
            requireFolder(made); // before anything is made below it
        }
    }

    /** Of a path below the root there is always one. */
    private static Path above(Path path) {
        return Objects.requireNonNull(path.getParent());
    }

    private void checkFolders(Path folder) throws IOException {
        for (Path at = folder; !at.equals(root); at = above(at)) {
            requireFolder(at);
        }
    }

    private static void requireFolder(Path folder) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(folder + " is there and is no folder: nothing is written through it");
        }
    }

    private void refuseOther(Path path) throws IOException {
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(path + " is a folder");
        }
        if (!rules.overwrite() && Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileAlreadyExistsException(path + " is there already; --overwrite replaces it");
        }
    }

    private void dress(Path path, FileFacts facts) throws IOException {
        checkFolders(path.equals(root) ? root : above(path)); // Somebody here may have put a link in the place of one.
        own(path, facts);
        FileDress.setMode(root, path, facts.mode());
        setTime(path, facts);
    }

    private void own(Path path, FileFacts facts) throws IOException {
        if (rules.owners()) {
            FileDress.own(path, facts.owner());
        }
    }

    private static void setTime(Path path, FileFacts facts) throws IOException {
        Files.getFileAttributeView(path, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .setTimes(FileTime.from(facts.modified()), null, null);
    }

    private void drop(OpenFile file) {
        open = null;
        try {
            file.channel().close();
        } catch (IOException e) {
            remarks.accept(file.facts().path(), reason(e));
        }
        deleteQuietly(file.partial());
    }

    private void deleteQuietly(Path partial) {
        try {
            Files.deleteIfExists(partial);
        } catch (IOException e) {
            remarks.accept(partial.toString(), "could not be deleted: " + reason(e));
        }
    }

    private static String reason(Exception error) {
        String message = String.valueOf(error.getMessage());
        return error instanceof FileAlreadyExistsException || error.getClass() == IOException.class
                ? message
                : message + " (" + error.getClass().getSimpleName() + ")";
    }

    /** Drops what is not whole; any thread may, such as one that a signal starts. Nothing is begun any more. */
    @Override
    public void close() {
        closed = true;
        OpenFile file = open;
        if (file != null) {
            drop(file);
        }
    }
}
