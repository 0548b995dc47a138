// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.plan;

import io.shredder.chunk.Fingerprint;
import io.shredder.engine.Shredder;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ClassUtil;

/** The jars that tasks on other machines need; nothing has to be installed there. */
final class JobJars {

    private static final String KEY = "tmpjars";
    private static final String NATIVE = "io/shredder/engine/native/linux-x86_64/libshredder.so";

    private JobJars() {}

    /** Whether jobs run within this process. */
    static boolean staysInProcess(Configuration conf) {
        return "local".equals(conf.get("mapreduce.framework.name", "local"));
    }

    /** Has a job send them, unless it runs within this process. */
    static void ship(Configuration conf) throws IOException {
        if (staysInProcess(conf)) {
            return;
        }
        Set<String> jars = new LinkedHashSet<>(conf.getStringCollection(KEY));
        for (Class<?> type : List.of(JobJars.class, Fingerprint.class, Shredder.class)) {
            String jar = ClassUtil.findContainingJar(type);
            if (jar == null) {
                throw new IOException(
                        type.getName()
                                + " was not loaded from a jar, so it can't be sent to the cluster: put the built jars on the class path");
            }
            jars.add(new File(jar).toURI().toString());
        }
        URL library = JobJars.class.getClassLoader().getResource(NATIVE);
        if (library != null && library.getProtocol().equals("jar")) {
            jars.add(library.getPath().replaceFirst("!.*", ""));
        }
        conf.set(KEY, String.join(",", jars));
    }
}
