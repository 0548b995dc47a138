// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.identity;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.lib.partition.TotalOrderPartitioner;

/**
 * The files that a job brings along, wherever they lie: contents by name, and, since a map may take them by number and
 * a class loader takes the first that has a class, their order. Used once, by one thread.
 */
final class JobFiles {

    /** How Hadoop names all library jars of a job at once. */
    private static final String ALL_IN_FOLDER = "*";

    /** The library jars as the command line names them. */
    private static final String TEMPORARY_JARS = "tmpjars";

    private static final String STREAMING_MAPPER = "stream.map.streamprocessor";
    private static final String STREAMING_REDUCER = "stream.reduce.streamprocessor";

    private final Configuration conf;
    private final IdentityParts parts;
    private final Map<Path, String> digests = new HashMap<>();
    private final Set<Path> cacheFiles = new HashSet<>();

    JobFiles(Configuration conf, IdentityParts parts) {
        this.conf = conf;
        this.parts = parts;
    }

    void addAll() throws IOException {
        String jar = conf.get(MRJobConfig.JAR);
        if (jar != null) {
            parts.put("content.jar", isPackedAnew(conf) ? entries(uploaded(jar)) : digest(uploaded(jar)));
        }
        addCache("file", MRJobConfig.CACHE_FILES);
        addCache("archive", MRJobConfig.CACHE_ARCHIVES);
        addClassPath("files", MRJobConfig.CLASSPATH_FILES);
        addClassPath("archives", MRJobConfig.CLASSPATH_ARCHIVES);
        addOrder(
                "library-jars",
                conf.getStringCollection(TEMPORARY_JARS).stream()
                        .map(name -> new Path(name).getName())
                        .toList());
        addPartitionFile();
    }

    /** Streaming packs its own classes for each job, with the time of day in them. */
    static boolean isPackedAnew(Configuration conf) {
        return conf.get(STREAMING_MAPPER) != null || conf.get(STREAMING_REDUCER) != null;
    }

    private String entries(Path jar) throws IOException {
        return "entries " + ContentDigests.ofEntries(jar, conf);
    }

    private void addCache(String kind, String key) throws IOException {
        List<String> names = new ArrayList<>();
        for (String name : conf.getStringCollection(key)) {
            URI uri = URI.create(name);
            Path path = new Path(new Path(uri.getScheme(), uri.getAuthority(), uri.getPath()).toUri());
            if (path.getName().equals(ALL_IN_FOLDER)) {
                addFolder(path.getParent());
                names.add(ALL_IN_FOLDER);
            } else {
                String shown = withLink(path.getName(), uri.getFragment());
                addContent(kind, shown, path);
                names.add(shown);
            }
        }
        addOrder("cache-" + kind + "s", names);
    }

    private static String withLink(String name, String link) {
        return link == null || link.equals(name) ? name : name + "#" + link;
    }

    private void addFolder(Path folder) throws IOException {
        FileStatus[] files = folder.getFileSystem(conf).listStatus(folder);
        for (FileStatus file : Stream.of(files).sorted().toList()) {
            addContent("file", file.getPath().getName(), file.getPath());
        }
    }

    /** Library jars that lie on the job's file system already are not uploaded, and stand on the class path only. */
    private void addClassPath(String kind, String key) throws IOException {
        List<String> names = new ArrayList<>();
        for (String name : conf.getStringCollection(key)) {
            Path path = uploaded(name);
            names.add(path.getName());
            if (!cacheFiles.contains(qualified(path))
                    && path.getFileSystem(conf).exists(path)) {
                addContent("file", path.getName(), path);
            }
        }
        addOrder("classpath-" + kind, names);
    }

    /** Without a file system of its own, a jar lies on that of the job's folder, which need not be the default one. */
    private Path uploaded(String jar) {
        String folder = conf.get(MRJobConfig.MAPREDUCE_JOB_DIR);
        return folder == null ? new Path(jar) : new Path(new Path(folder), jar);
    }

    /** TotalOrderPartitioner reads the partitions' limits from a file that need not be a cache file. */
    private void addPartitionFile() throws IOException {
        String name = conf.get(TotalOrderPartitioner.PARTITIONER_PATH);
        if (name != null) {
            Path path = new Path(name);
            if (path.getFileSystem(conf).exists(path)) {
                parts.put("content.partitions", digest(path));
            }
        }
    }

    /** Files of the same name count one by one. */
    private void addContent(String kind, String name, Path path) throws IOException {
        cacheFiles.add(qualified(path));
        parts.add("content." + kind + "." + name, digest(path));
    }

    private void addOrder(String what, List<String> names) {
        if (names.size() > 1) {
            parts.put("order." + what, String.join(", ", names));
        }
    }

    private String digest(Path path) throws IOException {
        Path place = qualified(path);
        String digest = digests.get(place);
        if (digest == null) {
            digest = ContentDigests.of(path, conf).toString();
            digests.put(place, digest);
        }
        return digest;
    }

    private Path qualified(Path path) throws IOException {
        return path.getFileSystem(conf).makeQualified(path);
    }
}
