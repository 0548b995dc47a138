// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact;

import io.shredder.it.corpus.Folders;
import io.shredder.it.exact.cases.Surroundings;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.jspecify.annotations.Nullable;

/** Makes {@link Surroundings} true before a run and gathers what it left. One thread, for it changes the process. */
final class SideWorld {
    private static final String TIME_ZONE = "user.timezone";
    private static final String LANGUAGE = "user.language";

    private final FileSystem fs;
    private final Places places;
    private final TimeZone ownTimeZone = TimeZone.getDefault();
    private final Locale ownLocale = Locale.getDefault();
    private final Map<String, @Nullable String> ownProperties = new HashMap<>();
    private @Nullable Surroundings current;

    SideWorld(FileSystem fs, Places places) {
        this.fs = fs;
        this.places = places;
    }

    /** Where things lie. */
    Places places() {
        return places;
    }

    /** Writes what has changed since the last call; removes the last run's output and other files. */
    void prepare(Surroundings next) throws IOException {
        if (current == null || !current.hdfsFiles().equals(next.hdfsFiles())) {
            delete(places.given());
            for (Map.Entry<String, String> file : next.hdfsFiles().entrySet()) {
                writeOnHdfs(places.given() + "/" + file.getKey(), file.getValue());
            }
        }
        if (current == null || !current.localFiles().equals(next.localFiles())) {
            Folders.delete(places.givenHere());
            Files.createDirectories(places.givenHere());
            for (Map.Entry<String, String> file : next.localFiles().entrySet()) {
                Files.writeString(places.givenHere().resolve(file.getKey()), file.getValue());
            }
        }
        if (current == null || current.memo() != next.memo()) {
            prepareMemo((DistributedFileSystem) fs, next.memo());
        }
        current = next;
        emptyLeftovers();
    }

    private void emptyLeftovers() throws IOException {
        delete(places.output());
        delete(places.left());
        fs.mkdirs(new org.apache.hadoop.fs.Path(places.left()));
        Folders.delete(places.leftHere());
        Files.createDirectories(places.leftHere());
    }

    private void prepareMemo(DistributedFileSystem hdfs, Surroundings.Memo memo) throws IOException {
        delete(places.memo());
        var folder = new org.apache.hadoop.fs.Path(places.memo());
        switch (memo) {
            case NORMAL, REMOVED_MEANWHILE -> {}
            case NO_FOLDER -> writeOnHdfs(places.memo(), "a file\n");
            case QUOTA_OF_NAMES -> {
                hdfs.mkdirs(folder);
                hdfs.setQuota(folder, 1, HdfsConstants.QUOTA_DONT_SET);
            }
            case QUOTA_OF_BYTES -> {
                hdfs.mkdirs(folder);
                hdfs.setQuota(folder, HdfsConstants.QUOTA_DONT_SET, 1);
            }
        }
    }

    /** A jar with the files of the class path; empty if there are none. */
    Optional<Path> classPathJar(Surroundings now) throws IOException {
        if (now.classPathFiles().isEmpty()) {
            return Optional.empty();
        }
        Path jar = places.local().resolve("class-path.jar");
        try (var out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (Map.Entry<String, String> file : now.classPathFiles().entrySet()) {
                var entry = new JarEntry(file.getKey());
                entry.setTime(0);
                out.putNextEntry(entry);
                out.write(file.getValue().getBytes(StandardCharsets.UTF_8));
                out.closeEntry();
            }
        }
        return Optional.of(jar);
    }

    /** Sets the system properties, with the defaults that hang on them. */
    void enter(Surroundings now) {
        now.systemProperties().forEach((key, value) -> ownProperties.put(key, System.setProperty(key, value)));
        if (now.systemProperties().containsKey(TIME_ZONE)) {
            TimeZone.setDefault(TimeZone.getTimeZone(now.systemProperties().get(TIME_ZONE)));
        }
        if (now.systemProperties().containsKey(LANGUAGE)) {
            Locale.setDefault(
                    Locale.forLanguageTag(String.valueOf(now.systemProperties().get(LANGUAGE))));
        }
    }

    /** Undoes {@link #enter}. */
    void leave() {
        ownProperties.forEach((key, value) -> {
            if (value == null) {
                System.clearProperty(key);
            } else {
                System.setProperty(key, value);
            }
        });
        ownProperties.clear();
        TimeZone.setDefault(ownTimeZone);
        Locale.setDefault(ownLocale);
    }

    /** Files that the last run left besides its output. */
    SortedMap<String, byte[]> leftFiles() throws IOException {
        var files = new TreeMap<String, byte[]>();
        FolderFiles.of(fs, places.left()).forEach((name, bytes) -> files.put("hdfs/" + name, bytes));
        FolderFiles.of(places.leftHere()).forEach((name, bytes) -> files.put("local/" + name, bytes));
        return files;
    }

    private void writeOnHdfs(String file, String content) throws IOException {
        try (OutputStream out = fs.create(new org.apache.hadoop.fs.Path(file), true)) {
            out.write(content.getBytes(StandardCharsets.UTF_8));
        }
    }

    private void delete(String path) throws IOException {
        fs.delete(new org.apache.hadoop.fs.Path(path), true);
    }
}
