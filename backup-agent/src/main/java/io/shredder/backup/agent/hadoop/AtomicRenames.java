// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.hadoop;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Locale;

/**
 * Which file systems rename in one step. Where a rename is a copy, as in object stores, a snapshot could appear in
 * part, and two agents could have one store.
 */
public final class AtomicRenames {

    /** {@code file} is for trials. */
    private static final List<String> SCHEMES = List.of("file", "hdfs", "ofs", "swebhdfs", "viewfs", "webhdfs");

    private AtomicRenames() {}

    /**
     * Refuses others, before anything is written anywhere.
     *
     * @param store what the user named
     */
    public static void check(URI store) throws IOException {
        if (store.getScheme() != null) {
            check(store, store.getScheme());
        }
    }

    /**
     * Refuses others.
     *
     * @param scheme of the file system that a store without one turned out to be on
     */
    static void check(URI store, String scheme) throws IOException {
        if (!SCHEMES.contains(scheme.toLowerCase(Locale.ROOT))) {
            throw new IOException("store " + store
                    + " can't be used: files get their names by renaming, which must be one step, and " + scheme
                    + " isn't known for that: use one of " + String.join(", ", SCHEMES));
        }
    }
}
