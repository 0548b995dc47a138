// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import java.io.IOException;
import java.net.URI;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Where in an object store a store is.
 *
 * @param bucket its name
 * @param prefix what each key begins with, without the slash behind it; empty for the whole bucket
 */
public record S3Place(String bucket, String prefix) {

    private static final Set<String> SCHEMES = Set.of("s3", "s3a");
    private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");
    private static final Pattern PREFIX = Pattern.compile("(?:[A-Za-z0-9!_.*'()-]+/)*[A-Za-z0-9!_.*'()-]+");
    private static final Pattern DOTS = Pattern.compile("(?:^|/)\\.{1,2}(?:/|$)");

    /** Whether an address is of an object store. */
    public static boolean isMeant(URI store) {
        return store.getScheme() != null && SCHEMES.contains(store.getScheme().toLowerCase(Locale.ROOT));
    }

    /**
     * Reads an address.
     *
     * @param store such as {@code s3://bucket/prefix}
     */
    public static S3Place parse(URI store) throws IOException {
        String authority = store.getRawAuthority() == null ? "" : store.getRawAuthority();
        if (authority.contains("@")) {
            throw new IOException("the address of a store must not have keys in it, which others could read: name it"
                    + " as in s3://BUCKET/PREFIX, and give keys in the environment or in a file of profiles");
        }
        if (!BUCKET.matcher(authority).matches()) {
            throw new IOException("store " + store + ": '" + authority + "' is not a bucket's name: use 3 to 63 small"
                    + " letters, digits, dots and hyphens, as in s3://backup-site1/shredder");
        }
        String path = store.getRawPath() == null ? "" : store.getRawPath();
        String prefix = path.replaceFirst("^/", "").replaceFirst("/+$", "");
        boolean plain = store.getRawQuery() == null && store.getRawFragment() == null;
        if (!plain
                || (!prefix.isEmpty()
                        && (!PREFIX.matcher(prefix).matches()
                                || DOTS.matcher(prefix).find()))) {
            throw new IOException("store " + store + ": what is behind the bucket must be names of letters, digits and"
                    + " -_.!*'() with single slashes between them, as in s3://backup-site1/shredder");
        }
        return new S3Place(authority, prefix);
    }

    /** The key of a name. */
    String key(String name) {
        return prefix.isEmpty() ? name : prefix + "/" + name;
    }

    /** The name of a key, which begins with the prefix. */
    String name(String key) {
        return prefix.isEmpty() ? key : key.substring(prefix.length() + 1);
    }

    @Override
    public String toString() {
        return "s3://" + bucket + (prefix.isEmpty() ? "" : "/" + prefix);
    }
}
