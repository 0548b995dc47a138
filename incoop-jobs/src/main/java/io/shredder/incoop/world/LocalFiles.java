// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.world;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of this machine that may be read without a result depending on more than the job's identity says. These are
 * the JDK's, those of the class path, and the job's cache files, in or linked from the task's working folder.
 * Immutable.
 */
public final class LocalFiles {

    private static final Logger LOG = LoggerFactory.getLogger(LocalFiles.class);
    private static final List<String> DEVICES = List.of("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom");

    private final List<Path> covered;
    private final boolean inClient;

    private LocalFiles(List<Path> covered, boolean inClient) {
        this.covered = List.copyOf(covered);
        this.inClient = inClient;
    }

    /** Those of the task whose configuration this is. */
    public static LocalFiles of(Configuration task) {
        List<Path> covered = new ArrayList<>();
        DEVICES.forEach(device -> covered.add(Path.of(device)));
        add(covered, System.getProperty("java.home"));
        for (String entry : System.getProperty("java.class.path", "").split(":", -1)) {
            add(covered, entry);
        }
        addLoaders(covered, task.getClassLoader());
        for (String key : List.of(MRJobConfig.CACHE_LOCALFILES, MRJobConfig.CACHE_LOCALARCHIVES)) {
            for (String file : task.getStringCollection(key)) {
                add(covered, file.startsWith("file:") ? URI.create(file).getPath() : file);
            }
        }
        boolean inClient =
                MRConfig.LOCAL_FRAMEWORK_NAME.equals(task.get(MRConfig.FRAMEWORK_NAME, MRConfig.LOCAL_FRAMEWORK_NAME));
        if (!inClient) {
            addLinks(covered, Path.of("").toAbsolutePath());
        }
        return new LocalFiles(covered, inClient);
    }

    private static void addLoaders(List<Path> covered, @Nullable ClassLoader loader) {
        for (ClassLoader each = loader; each != null; each = each.getParent()) {
            if (each instanceof URLClassLoader urls) {
                for (URL url : urls.getURLs()) {
                    if ("file".equals(url.getProtocol())) {
                        add(covered, url.getPath());
                    }
                }
            }
        }
    }

    /** What Hadoop has brought to a container is linked there. */
    private static void addLinks(List<Path> covered, Path workingFolder) {
        try (Stream<Path> entries = Files.list(workingFolder)) {
            entries.filter(Files::isSymbolicLink).forEach(link -> add(covered, link.toString()));
        } catch (IOException e) {
            LOG.debug("not listed", e);
        }
    }

    private static void add(List<Path> covered, @Nullable String path) {
        // The working folder itself holds what differs from task to task.
        if (path == null || path.isEmpty()) {
            return;
        }
        Path file = Path.of(path).toAbsolutePath().normalize();
        if (file.equals(Path.of("").toAbsolutePath())) {
            return;
        }
        addWithChecksums(covered, file);
        try {
            addWithChecksums(covered, file.toRealPath());
        } catch (IOException e) {
            LOG.debug("not there", e);
        }
    }

    /** Hadoop's local file system looks for a file of checksums beside each. */
    private static void addWithChecksums(List<Path> covered, Path file) {
        covered.add(file);
        if (file.getFileName() != null) {
            covered.add(file.resolveSibling("." + file.getFileName() + ".crc"));
        }
    }

    /** Whether the job's identity covers a file, or a folder of a class path is meant. */
    boolean areCovered(Path file) {
        Path real = file;
        try {
            real = file.toRealPath();
        } catch (IOException e) {
            LOG.debug("not there", e);
        }
        for (Path root : covered) {
            if (file.startsWith(root) || real.startsWith(root)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the process that plans the next run of the job sees the same files; else a map task of it may. */
    boolean isInClient() {
        return inClient;
    }
}
