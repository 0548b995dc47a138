// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import io.shredder.incoop.config.JavaOptions;
import io.shredder.incoop.identity.JobIdentity;
import io.shredder.incoop.world.AgentLoader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;

/**
 * Brings the agent into the JVMs of a job's tasks on a cluster: its jar as a cache file, an option of the JVM that
 * names it. A task that runs within the application master's JVM would be without.
 */
public final class TaskJvms {

    private static final String TEMPORARY_FILES = "tmpfiles";
    private static final String LINK = "incoop-agent.jar";

    /** Said with the option: the JVM warns of the class path that the agent lengthens. */
    private static final String OPTION = "-javaagent:" + LINK + " -Xshare:auto -XX:-PrintWarnings";

    private static final List<String> JAVA_OPTIONS = List.of(MRJobConfig.MAP_JAVA_OPTS, MRJobConfig.REDUCE_JAVA_OPTS);

    private TaskJvms() {}

    /** @throws IOException if the agent's jar can't be found */
    static void install(Configuration conf) throws IOException {
        List<String> files = new ArrayList<>(conf.getStringCollection(TEMPORARY_FILES));
        files.add(AgentLoader.jar().toUri() + "#" + LINK);
        conf.set(TEMPORARY_FILES, String.join(",", files));
        for (String key : JAVA_OPTIONS) {
            JavaOptions.add(conf, key, OPTION);
        }
        conf.setBoolean(MRJobConfig.JOB_UBERTASK_ENABLE, false);
    }

    /** A key of maps' JVMs or programs whose value counts, and is another one for reduces; empty if there is none. */
    static Optional<String> differingKey(Configuration conf) {
        Set<String> keys = new TreeSet<>();
        if (!conf.get(MRConfig.FRAMEWORK_NAME, "").equals(MRConfig.YARN_FRAMEWORK_NAME)) {
            return Optional.empty();
        }
        conf.forEach(entry -> {
            String key = entry.getKey();
            if (key.endsWith(".java.opts") || key.contains(".env")) {
                keys.add(key.replace(".reduce.", ".map."));
            }
        });
        keys.removeIf(key -> !key.contains(".map."));
        return keys.stream()
                .filter(key -> !options(conf, key).equals(options(conf, key.replace(".map.", ".reduce."))))
                .findFirst();
    }

    private static String options(Configuration conf, String key) {
        boolean isOfTasks = key.endsWith(".java.opts") && !key.contains("admin");
        return JobIdentity.counted(key, isOfTasks ? JavaOptions.of(conf, key) : conf.get(key, ""));
    }
}
