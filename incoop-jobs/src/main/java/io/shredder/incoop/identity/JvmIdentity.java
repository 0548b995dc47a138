// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.identity;

import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.zone.ZoneRulesProvider;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;

/**
 * What a map's output may depend on that belongs to the JVM that runs it, not to its job. That is Java itself, the
 * default time zone and the rules of all, locales and charset, the system properties, and all code and resources on the
 * class path. Two JVMs with the same digest compute the same from the same job and input. Environment variables don't
 * count but for what they have set of these.
 *
 * <p>A value of this class is a snapshot, and immutable.
 */
public final class JvmIdentity {

    /** Names of properties whose values are nobody's business. */
    private static final Pattern SECRET = Pattern.compile("(?i).*(password|passphrase|secret|credential|token).*");

    private static final String CLASS_PATH = "class-path";

    private static final Pattern OF_TASK = Pattern.compile(
            "time-zone.*|locale.*|charset|class-path.*|property\\.(java\\.(vm\\.|vendor|version|runtime)|os\\.).*");

    private final SortedMap<String, String> parts;

    private JvmIdentity(SortedMap<String, String> parts) {
        this.parts = Collections.unmodifiableSortedMap(parts);
    }

    /**
     * What a task's JVM on a cluster is: its Java, machine and system, its defaults, and what lies on its class path.
     * The order of that doesn't count, since Hadoop names folders whose order nobody promises. Left out is what the
     * job's own options and Hadoop's launcher say: it differs between map and reduce tasks, and stands in the job's
     * identity. A job's jar that its submission has packed is another file each time; what it holds stands in the job's
     * identity.
     */
    public static Fingerprint ofTask(Configuration job) throws IOException {
        Path workingFolder = Path.of("").toAbsolutePath();
        List<Path> leftOut = new ArrayList<>(List.of(workingFolder));
        if (JobFiles.isPackedAnew(job)) {
            Path jar = workingFolder.resolve(MRJobConfig.JOB_JAR);
            leftOut.addAll(List.of(jar, jar.resolve(MRJobConfig.JOB_JAR)));
        }
        SortedMap<String, String> parts = new TreeMap<>(ofThisJvm(leftOut).parts());
        parts.keySet()
                .removeIf(name ->
                        name.equals(CLASS_PATH) || !OF_TASK.matcher(name).matches());
        return new JvmIdentity(parts).digest();
    }

    /**
     * The identity of this JVM as this thread sees it: the class path is that of the thread's context class loader.
     *
     * @param leftOut entries of the class path that don't count: the working folder of a YARN container, which holds
     *     the job's configuration, tokens and launch scripts. What lies below such an entry and is one itself counts
     * @throws IOException if an entry of the class path can't be read
     */
    public static JvmIdentity ofThisJvm(Collection<Path> leftOut) throws IOException {
        SortedMap<String, String> parts = new TreeMap<>();
        addDefaults(parts);
        addProperties(parts);
        addClassPath(parts, ClassPath.ofThisThread(leftOut));
        return new JvmIdentity(parts);
    }

    private static void addDefaults(Map<String, String> parts) {
        parts.put("time-zone", TimeZone.getDefault().getID());
        // An update of Java, or of these alone (tzupdater), brings others.
        parts.put("time-zone.rules", ZoneRulesProvider.getVersions("UTC").lastKey());
        parts.put("locale.display", Locale.getDefault(Locale.Category.DISPLAY).toLanguageTag());
        parts.put("locale.format", Locale.getDefault(Locale.Category.FORMAT).toLanguageTag());
        parts.put("locale", Locale.getDefault().toLanguageTag());
        parts.put("charset", Charset.defaultCharset().name());
    }

    private static void addProperties(Map<String, String> parts) {
        for (String name : System.getProperties().stringPropertyNames()) {
            String value = System.getProperty(name);
            if (value != null && JvmProperties.counts(name)) {
                parts.put(
                        "property." + name,
                        SECRET.matcher(name).matches() ? "secret " + IdentityParts.digest(value) : value);
            }
        }
    }

    private static void addClassPath(Map<String, String> parts, List<ClassPath.Entry> entries) {
        parts.put(CLASS_PATH, entries.stream().map(ClassPath.Entry::name).collect(Collectors.joining(", ")));
        for (ClassPath.Entry entry : entries) {
            parts.merge(
                    CLASS_PATH + "." + entry.name(), entry.digest().toString(), (one, other) -> one + " and " + other);
        }
    }

    /**
     * What the identity is made of, by name: {@code time-zone}, {@code time-zone.rules}, {@code locale}, {@code
     * locale.display}, {@code locale.format}, {@code charset}, {@code property.NAME}, {@code class-path} (the names of
     * its entries in order) and {@code class-path.NAME} (the digest of an entry, or of all of that name in order).
     * Secrets appear as digests.
     */
    public SortedMap<String, String> parts() {
        return parts;
    }

    /** SHA-256 of {@link #parts}. */
    public Fingerprint digest() {
        IdentityParts text = new IdentityParts();
        parts.forEach(text::put);
        return IdentityParts.digest(text.document());
    }
}
