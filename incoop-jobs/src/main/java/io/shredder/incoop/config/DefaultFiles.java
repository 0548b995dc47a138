// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.config;

import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** The files on the class path that say what a configuration is before anybody has configured anything. */
public final class DefaultFiles {

    /** Hadoop's, and ours, which is the last. */
    public static final List<String> NAMES = List.of(
            "core-default.xml",
            "hdfs-default.xml",
            "hdfs-rbf-default.xml",
            "yarn-default.xml",
            "mapred-default.xml",
            "incoop-default.xml");

    private DefaultFiles() {}

    /** Whether a property is as a default file has it, in the client or in a task. */
    public static boolean define(Configuration conf, String key) {
        String[] sources = conf.getPropertySources(key);
        return sources != null && sources.length > 0 && NAMES.contains(sources[0]);
    }
}
