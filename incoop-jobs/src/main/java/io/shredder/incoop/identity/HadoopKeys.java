// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.identity;

import io.shredder.incoop.config.DefaultFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;

/**
 * The configuration keys that the Hadoop on the class path names itself, and so no job's own options. They stand in its
 * default files. That of HDFS lies in the jar of the NameNode, which a client need not have, so the keys that HDFS's
 * client declares count as named, too.
 */
final class HadoopKeys {

    private static final String NAME = "<name>";

    private static final Set<String> NAMED = Collections.unmodifiableSet(named());

    private HadoopKeys() {}

    /** Whether a default file, Hadoop's or ours, or HDFS's client names this very key. */
    static boolean isNamed(String key) {
        return NAMED.contains(key);
    }

    private static Set<String> named() {
        Set<String> names = new HashSet<>();
        for (String file : DefaultFiles.NAMES) {
            addNames(text(file), names);
        }
        addConstants(HdfsClientConfigKeys.class, names);
        for (Class<?> group : HdfsClientConfigKeys.class.getDeclaredClasses()) {
            addConstants(group, names);
        }
        return names;
    }

    /** As Hadoop itself finds it, and not one that a job's jar brings along; empty if this Hadoop has none. */
    private static String text(String file) {
        Class<?> owner = file.startsWith("incoop") ? HadoopKeys.class : Configuration.class;
        try (InputStream in = owner.getClassLoader().getResourceAsStream(file)) {
            return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("can't read Hadoop's " + file, e);
        }
    }

    /**
     * The names of the file's properties. Parsed as XML, a megabyte would take a task's young JVM longer than all else
     * here, and a {@link Configuration} forgets those that have no value.
     */
    private static void addNames(String xml, Set<String> names) {
        for (int at = xml.indexOf(NAME); at >= 0; at = xml.indexOf(NAME, at)) {
            int end = xml.indexOf('<', at + NAME.length());
            if (end < 0) {
                return;
            }
            names.add(xml.substring(at + NAME.length(), end).trim());
            at = end;
        }
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
