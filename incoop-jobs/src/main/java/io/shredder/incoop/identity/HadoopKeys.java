// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.identity;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;

/**
 * The configuration keys that the Hadoop on the class path names itself, and so no job's own options. They stand in its default
 * files. That of HDFS lies in the jar of the NameNode, which a client need not have, so the keys that HDFS's client declares
 * count as named, too.
 */
final class HadoopKeys {

    private static final List<String> DEFAULT_FILES = List.of(
            "core-default.xml",
            "hdfs-default.xml",
            "hdfs-rbf-default.xml",
            "yarn-default.xml",
            "mapred-default.xml",
            "incoop-default.xml");

    private static final Set<String> NAMED = Collections.unmodifiableSet(named());

    private HadoopKeys() {}

    /** Whether a default file, Hadoop's or ours, or HDFS's client names this very key. */
    static boolean isNamed(String key) {
        return NAMED.contains(key);
    }

    private static Set<String> named() {
        Set<String> names = new HashSet<>();
        Configuration defaults = new Configuration(false);
        // Many keys are named without a value.
        defaults.setAllowNullValueProperties(true);
        for (String file : DEFAULT_FILES) {
            URL url = resource(file);
            if (url != null) {
                defaults.addResource(url);
            }
        }
        for (Map.Entry<String, String> property : defaults) {
            names.add(property.getKey());
        }
        addConstants(HdfsClientConfigKeys.class, names);
        for (Class<?> group : HdfsClientConfigKeys.class.getDeclaredClasses()) {
            addConstants(group, names);
        }
        return names;
    }

    /** As Hadoop itself finds it, and not one that a job's jar brings along. */
    private static URL resource(String file) {
        ClassLoader loader =
                file.startsWith("incoop") ? HadoopKeys.class.getClassLoader() : Configuration.class.getClassLoader();
        return loader.getResource(file);
    }

    private static void addConstants(Class<?> keys, Set<String> names) {
        for (Field field : keys.getFields()) {
            if (Modifier.isStatic(field.getModifiers())
                    && field.getName().endsWith("_KEY")
                    && field.getType() == String.class) {
                try {
                    names.add((String) field.get(null));
                } catch (IllegalAccessException e) {
                    throw new IllegalStateException("can't read the key " + field, e);
                }
            }
        }
    }
}
