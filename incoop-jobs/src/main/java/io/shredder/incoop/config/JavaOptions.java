// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.config;

import org.apache.hadoop.conf.Configuration;

/** The options for the JVMs that run a job. */
public final class JavaOptions {

    private static final String ALL_TASKS = "mapred.child.java.opts";

    private JavaOptions() {}

    /** Those for a kind of task, or those for all tasks if there are none for it. */
    public static String of(Configuration conf, String key) {
        return conf.get(key, conf.get(ALL_TASKS, ""));
    }

    /** Adds options for a kind of task's JVM. They stand first: of two that contradict a JVM takes the last. */
    public static void add(Configuration conf, String key, String options) {
        put(conf, key, options, of(conf, key));
    }

    /** As {@link #add}, for a JVM that runs no task. */
    public static void addForMaster(Configuration conf, String key, String options) {
        put(conf, key, options, conf.get(key, ""));
    }

    private static void put(Configuration conf, String key, String options, String present) {
        conf.set(key, (options + " " + present).trim());
    }
}
