// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Ordinary files by length and time of change. A file in whose place there is another was read as it was: that is no
 * change.
 */
final class WatchedFiles implements ChangeWatch {

    private final List<State> states;

    /** A file, which its key tells from another at the same place. */
    private record State(Path path, long bytes, FileTime modified, @Nullable Object key) {

        static State of(Path path) throws IOException {
            BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
            return new State(path, now.size(), now.lastModifiedTime(), now.fileKey());
        }
    }

    private WatchedFiles(List<State> states) {
        this.states = states;
    }

    static WatchedFiles of(Iterable<Path> files) throws IOException {
        List<State> states = new ArrayList<>();
        for (Path file : files) {
            states.add(State.of(file));
        }
        return new WatchedFiles(states);
    }

    /**
     * The ordinary files that a child of this process has open, such as an image and those behind it; not those in its
     * own folder.
     */
    static WatchedFiles openIn(Process child, Path own) throws IOException {
        Set<Path> files = new LinkedHashSet<>();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc", Long.toString(child.pid()), "fd"))) {
            for (Path descriptor : (Iterable<Path>) descriptors::iterator) {
                target(descriptor)
                        .filter(file -> Files.isRegularFile(file) && !file.startsWith(own))
                        .ifPresent(files::add);
            }
        } catch (NoSuchFileException e) {
            return new WatchedFiles(List.of()); // It has ended, which the next read finds.
        }
        return of(files);
    }

    /** Empty if it was closed meanwhile. */
    private static Optional<Path> target(Path descriptor) throws IOException {
        try {
            return Optional.of(Files.readSymbolicLink(descriptor));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    @Override
    public Optional<String> change() throws IOException {
        for (State before : states) {
            Optional<State> now = now(before.path());
            if (now.isEmpty() || !Objects.equals(now.get().key(), before.key())) {
                continue;
            }
            if (now.get().bytes() != before.bytes()) {
                return Optional.of("its file's length went from " + before.bytes() + " to "
                        + now.get().bytes() + " bytes");
            } else if (!now.get().modified().equals(before.modified())) {
                return Optional.of("its file was written at " + now.get().modified());
            }
        }
        return Optional.empty();
    }

    private static Optional<State> now(Path path) throws IOException {
        try {
            return Optional.of(State.of(path));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }
}
