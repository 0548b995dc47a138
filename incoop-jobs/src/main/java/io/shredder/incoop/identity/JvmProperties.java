// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.identity;

import java.util.Map;

/** System properties that say where, when or by whom a JVM was started, not what it computes. All others count. */
final class JvmProperties {

    /** Each with the reason why it doesn't count. */
    private static final Map<String, String> IGNORED = Map.ofEntries(
            // Java's own.
            Map.entry("java.class.path", "the entries stand in the identity by their contents"),
            Map.entry("java.home", "a place; the version counts"),
            Map.entry("java.io.tmpdir", "a place, of a container's own"),
            Map.entry("java.library.path", "places of native code; in a container they begin with its folder"),
            Map.entry("java.vm.compressedOopsMode", "follows the heap's size"),
            Map.entry("java.vm.info", "which compilers run"),
            Map.entry("jdk.debug", "how the JDK was built; the version counts"),
            Map.entry("os.version", "the kernel's patch level, another one on each machine"),
            Map.entry("sun.boot.library.path", "a place below java.home"),
            Map.entry("sun.java.command", "the launcher's arguments, with the task's id"),
            Map.entry("sun.java.launcher", "the launcher"),
            Map.entry("sun.management.compiler", "which compilers run"),
            Map.entry("sun.stderr.encoding", "set if a terminal is there"),
            Map.entry("sun.stdout.encoding", "set if a terminal is there"),
            Map.entry("stderr.encoding", "as a terminal has it"),
            Map.entry("stdout.encoding", "as a terminal has it"),
            Map.entry("user.dir", "a place, of a container's own"),
            Map.entry("user.home", "a place"),
            Map.entry("user.name", "who"),
            Map.entry("user.timezone", "set when somebody first asks; the default time zone counts"),
            // Hadoop's launchers and the logs of their processes.
            Map.entry("hadoop.home.dir", "a place"),
            Map.entry("hadoop.id.str", "who"),
            Map.entry("hadoop.log.dir", "a log"),
            Map.entry("hadoop.log.file", "a log"),
            Map.entry("hadoop.root.logfile", "a log"),
            Map.entry("hadoop.root.logger", "a log"),
            Map.entry("hadoop.security.logger", "a log"),
            Map.entry("log4j.configuration", "a log"),
            Map.entry("proc_jar", "the launcher's mark"),
            Map.entry("yarn.home.dir", "a place"),
            Map.entry("yarn.log.dir", "a log"),
            Map.entry("yarn.log.file", "a log"),
            Map.entry("yarn.root.logger", "a log"),
            Map.entry("yarn.app.container.log.backups", "a log"),
            Map.entry("yarn.app.container.log.dir", "a log, of a container's own"),
            Map.entry("yarn.app.container.log.filesize", "a log"),
            // Maven's runner of tests.
            Map.entry("basedir", "a place"),
            Map.entry("localRepository", "a place"),
            Map.entry("incoop.verify.mode", "what is compared afterwards"),
            Map.entry("incoop.verify.report", "where the comparison is written down"),
            Map.entry("surefire.real.class.path", "a place of each start's own"),
            Map.entry("surefire.test.class.path", "the entries stand in the identity by their contents"));

    private JvmProperties() {}

    static boolean counts(String name) {
        return !IGNORED.containsKey(name);
    }
}
