// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.world;

import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.config.DefaultFiles;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * Which classes are a job's own: those that come from its jar, its library jars and folders, and from the jars of the
 * classes that its configuration names. Not the JDK's, not Hadoop's, not ours, and not the libraries of the
 * installation. Safe for use by several threads.
 */
public final class JobCode {

    private static final Pattern FRAMEWORK = Pattern.compile(
            "(hadoop-(annotations|auth|client|common|hdfs|kms|mapreduce-client|yarn"
                    + "|shaded|minicluster|registry|nfs)|slf4j-|log4j|reload4j|logback-|commons-logging|jspecify).*(?<!-tests)\\.jar");

    private static final Pattern CLASS_NAME = Pattern.compile("([a-zA-Z_][\\w$]*\\.)+[A-Z][\\w$]*");
    private static final String OURS = "io.shredder.incoop.";
    private static final String OUR_JOBS = OURS + "jobs.";

    private final ClassLoader loader;
    private final Set<String> locations = new HashSet<>();
    private final Set<String> ours = Set.of(location(JobCode.class), location(Fingerprint.class));
    private final ClassValue<Boolean> loaded = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return isLoadedForJob(type);
        }
    };

    private final Map<String, Boolean> byLocation = new ConcurrentHashMap<>();

    /** That of the job whose configuration this is. */
    public JobCode(Configuration conf) {
        this.loader = conf.getClassLoader();
        ClassLoader installation = ClassLoader.getSystemClassLoader();
        for (ClassLoader each = loader; each != null && !each.equals(installation); each = each.getParent()) {
            if (each instanceof URLClassLoader urls) {
                for (URL url : urls.getURLs()) {
                    locations.add(plain(url));
                }
            }
        }
        addLocalized();
        addNamed(conf);
    }

    /** What Hadoop has brought to a container lies in, or is linked from, its working folder. */
    private void addLocalized() {
        Path here = Path.of("").toAbsolutePath();
        for (String entry : System.getProperty("java.class.path", "").split(File.pathSeparator, -1)) {
            Path path = Path.of(entry).toAbsolutePath();
            if (path.startsWith(here) && System.getenv("CONTAINER_ID") != null) {
                locations.add(path.toString());
            }
        }
    }

    /** Not what default files name: looking for those hundreds of classes would open every jar. */
    private void addNamed(Configuration conf) {
        for (Map.Entry<String, String> property : conf) {
            String value = property.getValue();
            if (value != null
                    && value.length() < 300
                    && CLASS_NAME.matcher(value).matches()
                    && !DefaultFiles.define(conf, property.getKey())) {
                String location = location(value);
                if (location != null) {
                    locations.add(location);
                }
            }
        }
    }

    /** The loader that finds the job's classes, and everybody else's. */
    ClassLoader loader() {
        return loader;
    }

    /** Where the bytes of a class lie if it is the job's own, else null. */
    @Nullable
    URL find(String className) {
        String resource = className.replace('.', '/') + ".class";
        URL url = loader.getResource(resource);
        if (url == null || "jrt".equals(url.getProtocol())) {
            return null;
        }
        String location = location(url, resource);
        return isOwn(location, className) ? url : null;
    }

    /** Whether a class that is loaded already is the job's own. */
    public boolean contains(Class<?> type) {
        return loaded.get(type);
    }

    private boolean isLoadedForJob(Class<?> type) {
        ClassLoader from = type.getClassLoader();
        if (from == null || from.equals(ClassLoader.getPlatformClassLoader())) {
            return false;
        }
        String location = location(type);
        return !location.isEmpty() && isOwn(location, type.getName());
    }

    private boolean isOwn(String location, String className) {
        if (ours.contains(location)) {
            return className.startsWith(OUR_JOBS);
        }
        return byLocation.computeIfAbsent(location, this::isOwn);
    }

    private boolean isOwn(String location) {
        String name = new File(location).getName();
        if (FRAMEWORK.matcher(name).matches()) {
            return false;
        }
        return !name.endsWith(".jar") || locations.contains(location);
    }

    private @Nullable String location(String className) {
        String resource = className.replace('.', '/') + ".class";
        URL url = loader.getResource(resource);
        return url == null || "jrt".equals(url.getProtocol()) ? null : location(url, resource);
    }

    private static String location(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        return source == null || source.getLocation() == null ? "" : plain(source.getLocation());
    }

    /** The jar or folder that a resource lies in. */
    static String location(URL url, String resource) {
        String text = url.toString();
        String root = text.substring(0, text.length() - resource.length());
        if (root.startsWith("jar:")) {
            root = root.substring("jar:".length(), root.length() - "!/".length());
        }
        try {
            return plain(new URL(root));
        } catch (MalformedURLException e) {
            return root;
        }
    }

    private static String plain(URL url) {
        return new File(url.getPath()).getPath();
    }
}
