// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.powerloss;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;

/** A path of {@link RecordedFiles}: another name of a real one. */
record RecordedPath(RecordedFileSystem fileSystem, Path real) implements Path {

    private Path of(Path other) {
        return other == null ? null : new RecordedPath(fileSystem, other);
    }

    private static Path realOf(Path other) {
        return other instanceof RecordedPath recorded ? recorded.real : other;
    }

    @Override
    public FileSystem getFileSystem() {
        return fileSystem;
    }

    @Override
    public boolean isAbsolute() {
        return real.isAbsolute();
    }

    @Override
    public Path getRoot() {
        return of(real.getRoot());
    }

    @Override
    public Path getFileName() {
        return of(real.getFileName());
    }

    @Override
    public Path getParent() {
        return of(real.getParent());
    }

    @Override
    public int getNameCount() {
        return real.getNameCount();
    }

    @Override
    public Path getName(int index) {
        return of(real.getName(index));
    }

    @Override
    public Path subpath(int begin, int end) {
        return of(real.subpath(begin, end));
    }

    @Override
    public boolean startsWith(Path other) {
        return real.startsWith(realOf(other));
    }

    @Override
    public boolean endsWith(Path other) {
        return real.endsWith(realOf(other));
    }

    @Override
    public Path normalize() {
        return of(real.normalize());
    }

    @Override
    public Path resolve(Path other) {
        return of(real.resolve(realOf(other)));
    }

    @Override
    public Path resolve(String other) {
        return of(real.resolve(other));
    }

    @Override
    public Path resolveSibling(String other) {
        return of(real.resolveSibling(other));
    }

    @Override
    public Path relativize(Path other) {
        return of(real.relativize(realOf(other)));
    }

    @Override
    public URI toUri() {
        return real.toUri();
    }

    @Override
    public Path toAbsolutePath() {
        return of(real.toAbsolutePath());
    }

    @Override
    public Path toRealPath(LinkOption... options) throws IOException {
        return of(real.toRealPath(options));
    }

    @Override
    public File toFile() {
        return real.toFile();
    }

    @Override
    public WatchKey register(WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int compareTo(Path other) {
        return real.compareTo(realOf(other));
    }

    @Override
    public String toString() {
        return real.toString();
    }
}
