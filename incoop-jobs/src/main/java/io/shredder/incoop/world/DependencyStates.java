// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.world;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.memo.Dependency;
import io.shredder.incoop.programs.ProgramStates;
import io.shredder.incoop.programs.TaskPlaces;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How things stand that results depend on. A file of HDFS stands as it did if it has the same id, length and time of
 * modification: HDFS never changes a file without changing one of these. A local file has to have the same content. A
 * folder stands as it did if all that a listing tells is the same. Each is asked for once. One thread.
 */
public final class DependencyStates {

    private static final Logger LOG = LoggerFactory.getLogger(DependencyStates.class);
    private static final String NOTHING_THERE = "nothing";

    private final Configuration conf;
    private final Map<String, String> known = new HashMap<>();

    /** Made when first asked: finding out which classes are the job's own takes long. */
    private @Nullable ClientStatics statics;

    private boolean changeTold;

    /** @param conf of the job */
    public DependencyStates(Configuration conf) {
        this.conf = conf;
    }

    /** Of all that was asked for, the class that the program which submits the job has changed, if there is one. */
    public Optional<String> changedClass() {
        return Optional.ofNullable(statics).flatMap(ClientStatics::changedSoFar);
    }

    /** Whether all of them stand as they did. */
    public boolean hold(List<Dependency> dependencies) {
        return dependencies.stream().allMatch(this::holds);
    }

    private boolean holds(Dependency dependency) {
        String now = known.computeIfAbsent(dependency.kind() + dependency.name(), key -> now(dependency));
        boolean holds = now.equals(dependency.state());
        if (!holds && !changeTold) {
            changeTold = true;
            LOG.info("incoop: what depends on {} is computed again: it is not as it was", dependency.name());
        }
        return holds;
    }

    private String now(Dependency dependency) {
        try {
            return switch (dependency.kind()) {
                case HDFS -> hdfs(new Path(dependency.name()), conf);
                case LOCAL -> local(TaskPlaces.ofThisJvm().path(dependency.name()));
                case LOCAL_PRESENCE -> presence(TaskPlaces.ofThisJvm().path(dependency.name()));
                case CONFIGURATION -> configuration(dependency.name(), conf);
                case STATICS -> statics().state(dependency.name());
                case PROGRAM -> ProgramStates.of(conf).now(dependency.name());
            };
        } catch (IOException | RuntimeException e) {
            LOG.warn(
                    "incoop: {} can't be looked at, so what depends on it is computed again: {}",
                    dependency.name(),
                    e.toString());
            return "unknown";
        }
    }

    private ClientStatics statics() {
        if (statics == null) {
            statics = new ClientStatics(conf);
        }
        return statics;
    }

    /** Of a file or folder of HDFS. */
    public static String hdfs(Path path, Configuration conf) throws IOException {
        FileSystem fs = path.getFileSystem(conf);
        FileStatus status;
        try {
            status = fs.getFileStatus(path);
        } catch (FileNotFoundException e) {
            return NOTHING_THERE;
        }
        if (status.isFile()) {
            return "file " + described(status);
        }
        StringBuilder listing = new StringBuilder();
        for (FileStatus child : Stream.of(fs.listStatus(path)).sorted().toList()) {
            listing.append(child.getPath().getName())
                    .append(' ')
                    .append(described(child))
                    .append('\n');
        }
        return "folder " + digest(listing.toString());
    }

    private static String described(FileStatus status) {
        long id = status instanceof HdfsFileStatus hdfs ? hdfs.getFileId() : 0;
        return id + " " + (status.isFile() ? status.getLen() : -1) + " " + status.getModificationTime() + " "
                + status.getOwner() + " " + status.getGroup() + " " + status.getPermission();
    }

    /** Of a file or folder of this machine. */
    public static String local(java.nio.file.Path path) throws IOException {
        try {
            if (!Files.exists(path)) {
                return NOTHING_THERE;
            }
            return Files.isDirectory(path) ? "folder " + digest(listing(path)) : "file " + content(path);
        } catch (NoSuchFileException e) {
            return NOTHING_THERE;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Of what there is at a place of this machine. */
    public static String presence(java.nio.file.Path path) {
        if (Files.isDirectory(path)) {
            return "folder";
        }
        return Files.isRegularFile(path) ? "file" : Files.exists(path) ? "other" : NOTHING_THERE;
    }

    private static String listing(java.nio.file.Path folder) throws IOException {
        StringBuilder listing = new StringBuilder();
        try (Stream<java.nio.file.Path> children = Files.list(folder)) {
            for (java.nio.file.Path child : children.sorted().toList()) {
                listing.append(child.getFileName())
                        .append(' ')
                        .append(Files.size(child))
                        .append(' ');
                listing.append(Files.getLastModifiedTime(child).toMillis()).append('\n');
            }
        }
        return listing.toString();
    }

    private static String content(java.nio.file.Path file) throws IOException {
        MessageDigest digest = DigestAlgorithm.SHA_256.newMessageDigest();
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
            in.transferTo(java.io.OutputStream.nullOutputStream());
        }
        return Fingerprint.of(digest.digest()) + " "
                + Files.getLastModifiedTime(file).toMillis();
    }

    /** Of a key; its value does not stand in the memo store, as it may be secret. */
    public static String configuration(String key, Configuration conf) {
        String value = conf.get(key);
        return value == null ? "unset" : digest(value);
    }

    private static String digest(String text) {
        return Fingerprint.ofData(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)))
                .toString();
    }
}
