// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.identity;

import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.config.MapOnly;
import io.shredder.incoop.config.OwnClasses;
import io.shredder.incoop.config.SeveralInputs;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.ConfigRedactor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.util.VersionInfo;

/**
 * Everything other than the input that a map's output may depend on, as a sorted, readable list of names and values:
 *
 * <ul>
 *   <li>the contents and order of the job's jar, library jars, cache files and archives ({@link JobFiles});
 *   <li>its classes by name, with the code of the places that they and the classes that its configuration names come
 *       from;
 *   <li>its secrets ({@link JobSecrets});
 *   <li>Hadoop's version, and all configuration that {@link ConfigurationFilter} does not leave out;
 *   <li>if the job runs in this process, the process ({@link JvmIdentity}). Of a job on YARN, each task's JVM has to be
 *       compared.
 * </ul>
 *
 * Secret values appear as digests. Two jobs with the same identity may use each other's map output.
 */
public final class JobIdentity {

    /** Raised whenever what a memo holds changes its meaning. */
    private static final String MEANING = "2";

    private final IdentityParts parts = new IdentityParts();

    /** Asked for at each access to a job's configuration. */
    private static final Map<String, Boolean> COUNTING = new ConcurrentHashMap<>();

    private final CodeDigests code = new CodeDigests();

    private JobIdentity() {}

    /**
     * The identity of a job at submission, when its files have been uploaded.
     *
     * @throws IOException if a file of the job, or of this process's class path, can't be read
     */
    public static JobIdentity of(JobContext job) throws IOException, ClassNotFoundException {
        JobIdentity identity = new JobIdentity();
        Configuration conf = job.getConfiguration();
        identity.parts.put("memo.meaning", MEANING);
        identity.parts.put("hadoop.version", VersionInfo.getBuildVersion());
        identity.addClasses(job);
        new JobFiles(conf, identity.parts).addAll();
        JobSecrets.addTo(identity.parts, job.getCredentials());
        identity.addConfiguration(conf);
        if (conf.get(MRConfig.FRAMEWORK_NAME, "").equals(MRConfig.LOCAL_FRAMEWORK_NAME)) {
            JvmIdentity.ofThisJvm(List.of()).parts().forEach((name, value) -> identity.parts.put("jvm." + name, value));
        }
        return identity;
    }

    /** Whether a configuration key counts: whether jobs whose values of it differ are different jobs. */
    public static boolean counts(String key) {
        return COUNTING.computeIfAbsent(key, ConfigurationFilter::counts);
    }

    /** A value as it counts: of options for a JVM, those that set its memory, compiler and log don't. */
    public static String counted(String key, String value) {
        return ConfigurationFilter.counted(key, value);
    }

    private void addClasses(JobContext job) throws IOException, ClassNotFoundException {
        addClass("class.mapper", OwnClasses.mapper(job.getConfiguration()));
        addClass("class.inputformat", OwnClasses.inputFormat(job.getConfiguration()));
        for (String name : SeveralInputs.mappers(job.getConfiguration())) {
            addClass("class.mapper." + name, job.getConfiguration().getClassByName(name));
        }
        for (String name : SeveralInputs.formats(job.getConfiguration())) {
            addClass("class.inputformat." + name, job.getConfiguration().getClassByName(name));
        }
        JobConf conf = new JobConf(job.getConfiguration());
        if (!conf.getUseNewMapper()) {
            addClass("class.map-runner", OwnClasses.mapRunner(conf));
        }
        addClass("class.key", job.getMapOutputKeyClass());
        addClass("class.value", job.getMapOutputValueClass());
        if (!MapOnly.is(conf)) {
            addSort(job, conf);
        }
    }

    /** What orders, groups and combines map output. */
    private void addSort(JobContext job, JobConf conf) throws IOException, ClassNotFoundException {
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
    }

    private void addClass(String part, Class<?> type) throws IOException {
        parts.put(part, code.described(type));
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
                    addValue(key, value, redactor);
                    addNamedCode(key, value, conf);
                }
            }
        }
    }

    private void addValue(String key, String value, ConfigRedactor redactor) {
        boolean shown = redactor.redact(key, value).equals(value);
        parts.put("conf." + key, shown ? value : "secret " + IdentityParts.digest(value));
    }

    private void addNamedCode(String key, String value, Configuration conf) throws IOException {
        Optional<Class<?>> type = NamedCode.of(value, conf);
        if (type.isPresent()) {
            addClass("code." + key, type.get());
        }
    }

    /** The identity as text, a line a part, sorted. */
    public String document() {
        return parts.document();
    }

    /** SHA-256 of {@link #document}. */
    public Fingerprint fingerprint() {
        return IdentityParts.digest(document());
    }

    /** In which parts this identity differs from another one's {@link #document}, each with both values. */
    public List<String> differencesFrom(String otherDocument) {
        return parts.differencesFrom(otherDocument);
    }
}
