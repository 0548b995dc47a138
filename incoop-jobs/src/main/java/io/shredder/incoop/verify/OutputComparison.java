// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.verify;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Compares the files of two output folders byte for byte, hidden ones and those that begin with _ aside. */
final class OutputComparison {

    private static final int BUFFER_BYTES = 1 << 16;

    private final Path ours;
    private final Path theirs;
    private final Configuration conf;
    private int files;
    private long bytes;

    OutputComparison(Path ours, Path theirs, Configuration conf) {
        this.ours = ours;
        this.theirs = theirs;
        this.conf = conf;
    }

    /** Where the folders differ first, by file name and offset; empty if they are equal. */
    Optional<String> firstDifference() throws IOException {
        SortedMap<String, FileStatus> ourFiles = files(ours);
        SortedMap<String, FileStatus> theirFiles = files(theirs);
        TreeSet<String> names = new TreeSet<>(ourFiles.keySet());
        names.addAll(theirFiles.keySet());
        for (String name : names) {
            FileStatus one = ourFiles.get(name);
            FileStatus other = theirFiles.get(name);
            if (one == null || other == null) {
                return Optional.of(name + (one == null ? " is missing" : " should not be there"));
            }
            Optional<String> difference = difference(name, one, other);
            if (difference.isPresent()) {
                return difference;
            }
            files++;
            bytes += one.getLen();
        }
        return Optional.empty();
    }

    /** Files that were equal. */
    int files() {
        return files;
    }

    /** Their bytes. */
    long bytes() {
        return bytes;
    }

    private Optional<String> difference(String name, FileStatus one, FileStatus other) throws IOException {
        try (InputStream a = open(one);
                InputStream b = open(other)) {
            byte[] left = new byte[BUFFER_BYTES];
            byte[] right = new byte[BUFFER_BYTES];
            long offset = 0;
            while (true) {
                int leftLength = a.readNBytes(left, 0, BUFFER_BYTES);
                int rightLength = b.readNBytes(right, 0, BUFFER_BYTES);
                int at = Arrays.mismatch(left, 0, leftLength, right, 0, rightLength);
                if (at >= 0) {
                    return Optional.of(name + " differs at byte " + (offset + at) + " (" + one.getLen()
                            + " bytes, there " + other.getLen() + ")");
                }
                if (leftLength < BUFFER_BYTES) {
                    return Optional.empty();
                }
                offset += leftLength;
            }
        }
    }

    private InputStream open(FileStatus file) throws IOException {
        return file.getPath().getFileSystem(conf).open(file.getPath());
    }

    private SortedMap<String, FileStatus> files(Path folder) throws IOException {
        SortedMap<String, FileStatus> found = new TreeMap<>();
        addFiles(found, folder.getFileSystem(conf), folder, "");
        return found;
    }

    private static void addFiles(SortedMap<String, FileStatus> found, FileSystem fs, Path folder, String prefix)
            throws IOException {
        for (FileStatus status : fs.listStatus(folder)) {
            String name = status.getPath().getName();
            if (name.startsWith("_") || name.startsWith(".")) {
                continue;
            }
            if (status.isDirectory()) {
                addFiles(found, fs, status.getPath(), prefix + name + "/");
            } else {
                found.put(prefix + name, status);
            }
        }
    }
}
