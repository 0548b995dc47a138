// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;

/** All files below a folder, by name, with their bytes. */
final class FolderFiles {
    private FolderFiles() {}

    /** Of a folder on a Hadoop file system; none if it is not there. */
    static SortedMap<String, byte[]> of(FileSystem fs, String folder) throws IOException {
        var files = new TreeMap<String, byte[]>();
        var root = new org.apache.hadoop.fs.Path(folder);
        if (!fs.exists(root)) {
            return files;
        }
        String prefix = fs.makeQualified(root).toUri().getPath() + "/";
        RemoteIterator<LocatedFileStatus> all = fs.listFiles(root, true);
        while (all.hasNext()) {
            LocatedFileStatus file = all.next();
            try (InputStream in = fs.open(file.getPath())) {
                files.put(file.getPath().toUri().getPath().substring(prefix.length()), in.readAllBytes());
            }
        }
        return files;
    }

    /** Of a local folder; none if it is not there. */
    static SortedMap<String, byte[]> of(Path folder) throws IOException {
        var files = new TreeMap<String, byte[]>();
        if (!Files.isDirectory(folder)) {
            return files;
        }
        try (Stream<Path> tree = Files.walk(folder)) {
            for (Path file : tree.filter(Files::isRegularFile).toList()) {
                files.put(folder.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
        return files;
    }

    /** Where two sets differ first; empty if they are equal. */
    static Optional<String> difference(Map<String, byte[]> plain, Map<String, byte[]> incremental) {
        var names = new TreeSet<>(plain.keySet());
        names.addAll(incremental.keySet());
        for (String name : names) {
            byte[] one = plain.get(name);
            byte[] other = incremental.get(name);
            if (one == null || other == null) {
                return Optional.of(name + (one == null ? " should not be there" : " is missing"));
            }
            int at = Arrays.mismatch(one, other);
            if (at >= 0) {
                return Optional.of(
                        name + " differs at byte " + at + " (" + other.length + " bytes, plainly " + one.length + ")");
            }
        }
        return Optional.empty();
    }

    /** Writes files below a folder, as evidence. */
    static void write(Map<String, byte[]> files, Path folder) throws IOException {
        Files.createDirectories(folder);
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Path path = folder.resolve(file.getKey());
            List<Path> parents = path.getParent() == null ? List.of() : List.of(path.getParent());
            for (Path parent : parents) {
                Files.createDirectories(parent);
            }
            Files.write(path, file.getValue());
        }
    }
}
