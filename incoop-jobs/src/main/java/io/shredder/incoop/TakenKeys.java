// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;

/** Configuration keys of a job under which ours stand meanwhile. One that the job has not set is not set afterwards, either. */
final class TakenKeys {

    private static final String UNSET = "incoop.job.unset";

    private TakenKeys() {}

    /** Puts ours under a key, whose own value the caller keeps. */
    static void take(Configuration conf, String key, Class<?> ours) {
        if (conf.get(key) == null) {
            Set<String> unset = new TreeSet<>(conf.getStringCollection(UNSET));
            unset.add(key);
            conf.set(UNSET, String.join(",", unset));
        }
        conf.set(key, ours.getName());
    }

    /**
     * Shows the key as the job has it.
     *
     * @param own the job's own value; the default if it has set none
     */
    static void giveBack(Configuration conf, String key, String own) {
        if (conf.getStringCollection(UNSET).contains(key)) {
            conf.unset(key);
        } else {
            conf.set(key, own);
        }
    }
}
