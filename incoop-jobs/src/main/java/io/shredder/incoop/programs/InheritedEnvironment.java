// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.programs;

import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The environment that programs inherit from this JVM, but for what tells of the process, the task and its places. A
 * user who says that programs ignore their task speaks of these.
 */
final class InheritedEnvironment {

    /** Of the shell that has started this process, of YARN's containers, and of Hadoop's launchers. */
    private static final Set<String> OF_PROCESS = Set.of(
            "_",
            "SHLVL",
            "PWD",
            "OLDPWD",
            "APPLICATION_WEB_PROXY_BASE",
            "APP_SUBMIT_TIME_ENV",
            "CONTAINER_ID",
            "HADOOP_CLIENT_OPTS",
            "HADOOP_TOKEN_FILE_LOCATION",
            "JVM_PID",
            "LOCALIZATION_COUNTERS",
            "LOCAL_DIRS",
            "LOCAL_USER_DIRS",
            "LOG_DIRS",
            "NM_AUX_SERVICE_mapreduce_shuffle",
            "NM_HOST",
            "NM_HTTP_PORT",
            "NM_PORT",
            "PRELAUNCH_ERR",
            "PRELAUNCH_OUT",
            "STDERR_LOGFILE_ENV",
            "STDOUT_LOGFILE_ENV");

    private static final String DIGEST = digest(System.getenv(), TaskPlaces.ofThisJvm());

    private InheritedEnvironment() {}

    /** Of all variables that count, as this JVM has them. */
    static String digest() {
        return DIGEST;
    }

    /** The name of a container's working folder does not count. */
    static String digest(Map<String, String> environment, TaskPlaces places) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(environment).forEach((name, value) -> {
            if (!OF_PROCESS.contains(name)) {
                text.append(name).append('=').append(places.shown(value)).append('\0');
            }
        });
        return Fingerprint.ofData(ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8)))
                .toString();
    }
}
