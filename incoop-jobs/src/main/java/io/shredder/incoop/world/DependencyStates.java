// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.world;

import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.memo.Dependency;
import io.shredder.incoop.programs.ProgramStates;
import io.shredder.incoop.programs.TaskPlaces;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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
 * folder stands as it did if all that a listing tells is the same. All else that its status tells counts, too. Each is
 * asked for once. One thread.
 */
public final class DependencyStates {

    private static final Logger LOG = LoggerFactory.getLogger(DependencyStates.class);
    static final String NOTHING_THERE = "nothing";

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
                case LOCAL -> LocalStates.whole(TaskPlaces.ofThisJvm().path(dependency.name()));
                case LOCAL_PRESENCE ->
                    LocalStates.presence(TaskPlaces.ofThisJvm().path(dependency.name()));
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
        StringBuilder listing = new StringBuilder(described(status)).append('\n');
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
                + status.getOwner() + " " + status.getGroup() + " " + status.getPermission() + " "
                + status.getReplication() + " " + status.getBlockSize();
    }

    /** Of a key; its value does not stand in the memo store, as it may be secret. */
    public static String configuration(String key, Configuration conf) {
        String value = conf.get(key);
        return value == null ? "unset" : digest(value);
    }

    static String digest(String text) {
        return Fingerprint.ofData(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)))
                .toString();
    }
}
