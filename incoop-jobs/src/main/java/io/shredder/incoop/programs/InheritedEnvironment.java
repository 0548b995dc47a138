// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.programs;

import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The environment that programs inherit from this JVM, but for what tells of the process, the task and its places. A user who says
 * that programs ignore their task speaks of these.
 */
final class InheritedEnvironment {

    private static final Pattern OF_PROCESS = Pattern.compile("_|SHLVL|PWD|OLDPWD|"
            + "APP_SUBMIT_TIME_ENV|APPLICATION_.*|CLASSPATH|CONTAINER_ID|HADOOP_TOKEN_FILE_LOCATION|HADOOP_CLIENT_OPTS|JVM_PID"
            + "|LD_LIBRARY_PATH|LOCAL_DIRS|LOCAL_USER_DIRS|LOCALIZATION_COUNTERS|LOG_DIRS|NM_.*|PRELAUNCH_.*"
            + "|STDERR_LOGFILE_ENV|STDOUT_LOGFILE_ENV");

    private static final String DIGEST = digest(System.getenv());

    private InheritedEnvironment() {}

    /** Of all variables that count, as this JVM has them. */
    static String digest() {
        return DIGEST;
    }

    static String digest(Map<String, String> environment) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(environment).forEach((name, value) -> {
            if (!OF_PROCESS.matcher(name).matches()) {
                text.append(name).append('=').append(value).append('\0');
            }
        });
        return Fingerprint.ofData(ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8)))
                .toString();
    }
}
