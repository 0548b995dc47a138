// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.identity;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.IncrementalJob;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.ConfigRedactor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.lib.partition.TotalOrderPartitioner;
import org.apache.hadoop.util.VersionInfo;
import org.jspecify.annotations.Nullable;

/**
 * Everything other than the input that a map's output may depend on, as a sorted, readable list of names and values: the
 * contents of the job's jar, of its library jars and cache files and of the places that its classes and those that its
 * configuration names come from, its classes by name, Hadoop's version, and all configuration that {@link ConfigurationFilter} does not leave out. Values of secret keys appear
 * as digests. Two jobs with the same identity may use each other's map output.
 */
public final class JobIdentity {

    /** Raised whenever what a memo holds changes its meaning. */
    private static final String MEANING = "1";

    /** How Hadoop names all library jars of a job at once. */
    private static final String ALL_IN_FOLDER = "*";

    private static final int SHOWN_CHARACTERS = 60;

    /** A name of a class that is not Hadoop's own: that one's version stands in the identity. */
    private static final Pattern CLASS_NAME =
            Pattern.compile("(?!org\\.apache\\.hadoop\\.|java\\.)([a-z_][\\w$]*\\.)+[A-Z][\\w$]*");

    /** Asked for at each access to a job's configuration. */
    private static final Map<String, Boolean> COUNTING = new ConcurrentHashMap<>();

    private final SortedMap<String, String> parts = new TreeMap<>();

    private final CodeDigests codeDigests = new CodeDigests();

    private JobIdentity() {}

    /**
     * The identity of a job at submission, when its files have been uploaded.
     *
     * @throws IOException if a file of the job can't be read
     */
    public static JobIdentity of(JobContext job) throws IOException, ClassNotFoundException {
        JobIdentity identity = new JobIdentity();
        Configuration conf = job.getConfiguration();
        identity.put("memo.meaning", MEANING);
        identity.put("hadoop.version", VersionInfo.getBuildVersion());
        identity.addClasses(job);
        identity.addFiles(conf);
        identity.addConfiguration(conf);
        return identity;
    }

    /** Whether a configuration key counts: whether jobs whose values of it differ are different jobs. */
    public static boolean counts(String key) {
        return COUNTING.computeIfAbsent(key, ConfigurationFilter::counts);
    }

    private void addClasses(JobContext job) throws IOException, ClassNotFoundException {
        addClass("class.mapper", IncrementalJob.mapperClass(job.getConfiguration()));
        addClass("class.inputformat", IncrementalJob.inputFormatClass(job.getConfiguration()));
        JobConf conf = new JobConf(job.getConfiguration());
        // Hadoop takes the old API's combiner first, whichever API the mapper has.
        Class<?> combiner = conf.getCombinerClass() == null ? job.getCombinerClass() : conf.getCombinerClass();
        if (combiner != null) {
            addClass("class.combiner", combiner);
        }
        addClass("class.partitioner", conf.getUseNewMapper() ? job.getPartitionerClass() : conf.getPartitionerClass());
        addClass("class.sort-comparator", job.getSortComparator().getClass());
        addClass(
                "class.combiner-grouping",
                job.getCombinerKeyGroupingComparator().getClass());
        addClass("class.key", job.getMapOutputKeyClass());
        addClass("class.value", job.getMapOutputValueClass());
    }

    private void addClass(String part, Class<?> type) throws IOException {
        String code = codeDigests.of(type).map(Fingerprint::toString).orElse("jdk");
        put(part, type.getName() + " from " + code);
    }

    private void addFiles(Configuration conf) throws IOException {
        String jar = conf.get(MRJobConfig.JAR);
        if (jar != null) {
            put("content.jar", ContentDigests.of(uploaded(jar, conf), conf).toString());
        }
        for (String key : List.of(MRJobConfig.CACHE_FILES, MRJobConfig.CACHE_ARCHIVES)) {
            for (String file : conf.getStringCollection(key)) {
                addFile(URI.create(file), conf);
            }
        }
        // Library jars that lie on the job's file system already are not uploaded, and stand on the class path only.
        for (String key : List.of(MRJobConfig.CLASSPATH_FILES, MRJobConfig.CLASSPATH_ARCHIVES)) {
            for (String file : conf.getStringCollection(key)) {
                Path path = uploaded(file, conf);
                if (path.getFileSystem(conf).exists(path)) {
                    addContent(path.getName(), path, conf);
                }
            }
        }
        addPartitionFile(conf);
    }

    /** Without a file system of its own, the jar lies on that of the job's folder, which need not be the default one. */
    private static Path uploaded(String jar, Configuration conf) {
        String folder = conf.get(MRJobConfig.MAPREDUCE_JOB_DIR);
        return folder == null ? new Path(jar) : new Path(new Path(folder), jar);
    }

    /** TotalOrderPartitioner reads the partitions' limits from a file that need not be a cache file. */
    private void addPartitionFile(Configuration conf) throws IOException {
        String name = conf.get(TotalOrderPartitioner.PARTITIONER_PATH);
        if (name != null) {
            Path path = new Path(name);
            if (path.getFileSystem(conf).exists(path)) {
                put("content.partitions", ContentDigests.of(path, conf).toString());
            }
        }
    }

    private void addFile(URI uri, Configuration conf) throws IOException {
        Path path = new Path(new Path(uri.getScheme(), uri.getAuthority(), uri.getPath()).toUri());
        if (path.getName().equals(ALL_IN_FOLDER)) {
            Path folder = path.getParent();
            for (FileStatus file : folder.getFileSystem(conf).listStatus(folder)) {
                addContent(file.getPath().getName(), file.getPath(), conf);
            }
            return;
        }
        addContent(uri.getFragment() == null ? path.getName() : uri.getFragment(), path, conf);
    }

    /** Files of the same name and other contents count one by one. */
    private void addContent(String name, Path path, Configuration conf) throws IOException {
        String digest = ContentDigests.of(path, conf).toString();
        parts.merge("content.file." + name, digest, (one, other) -> one.contains(other) ? one : one + " and " + other);
    }

    private void addConfiguration(Configuration conf) throws IOException {
        ConfigRedactor redactor = new ConfigRedactor(conf);
        for (Map.Entry<String, String> property : conf) {
            String key = property.getKey();
            // The newer name of the same key stands there, too.
            if (!Configuration.isDeprecated(key) && ConfigurationFilter.counts(key)) {
                String value = ConfigurationFilter.counted(key, String.valueOf(conf.get(key)));
                // What counts for nothing is as good as not set.
                if (!value.isEmpty()) {
                    addNamedCode(key, value, conf);
                    put("conf." + key, redactor.redact(key, value).equals(value) ? value : "secret " + digest(value));
                }
            }
        }
    }

    /** The code of a class that a value names, if it can be found here: a plug-in of the job's that it loads by itself. */
    private void addNamedCode(String key, String value, Configuration conf) throws IOException {
        if (!CLASS_NAME.matcher(value).matches()) {
            return;
        }
        try {
            addClass("code." + key, Class.forName(value, false, conf.getClassLoader()));
        } catch (ClassNotFoundException | LinkageError e) {
            // No class, or none that could be used: the value itself counts all the same.
            return;
        }
    }

    private void put(String name, String value) {
        parts.put(name, value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r"));
    }

    private static Fingerprint digest(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return Fingerprint.of(DigestAlgorithm.SHA_256.newMessageDigest().digest(bytes));
    }

    /** The identity as text, a line a part, sorted. */
    public String document() {
        StringBuilder document = new StringBuilder();
        parts.forEach((name, value) ->
                document.append(name).append(" = ").append(value).append('\n'));
        return document.toString();
    }

    /** SHA-256 of {@link #document}. */
    public Fingerprint fingerprint() {
        return digest(document());
    }

    /** In which parts this identity differs from another one's {@link #document}, each with both values. */
    public List<String> differencesFrom(String otherDocument) {
        SortedMap<String, String> other = new TreeMap<>();
        for (String line : otherDocument.lines().toList()) {
            int middle = line.indexOf(" = ");
            if (middle > 0) {
                other.put(line.substring(0, middle), line.substring(middle + 3));
            }
        }
        TreeSet<String> names = new TreeSet<>(parts.keySet());
        names.addAll(other.keySet());
        List<String> differences = new ArrayList<>();
        for (String name : names) {
            if (!Objects.equals(parts.get(name), other.get(name))) {
                int from = firstDifference(other.get(name), parts.get(name));
                differences.add(
                        name + " (" + shown(other.get(name), from) + " -> " + shown(parts.get(name), from) + ")");
            }
        }
        return differences;
    }

    private static int firstDifference(@Nullable String one, @Nullable String other) {
        return one == null || other == null ? 0 : Math.max(0, Arrays.mismatch(one.toCharArray(), other.toCharArray()));
    }

    /** A value as one can read it in a line: whole if it is short, else what lies around the first difference. */
    private static String shown(@Nullable String value, int from) {
        if (value == null) {
            return "unset";
        }
        if (value.length() <= SHOWN_CHARACTERS) {
            return value;
        }
        int start = Math.max(0, Math.min(from - SHOWN_CHARACTERS / 4, value.length() - SHOWN_CHARACTERS));
        int end = Math.min(value.length(), start + SHOWN_CHARACTERS);
        return (start > 0 ? "..." : "") + value.substring(start, end) + (end < value.length() ? "..." : "");
    }
}
