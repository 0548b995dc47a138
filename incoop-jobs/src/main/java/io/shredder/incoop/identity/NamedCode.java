// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.identity;

import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;

/** A class that a configuration's value names: a plug-in of the job's that it loads by itself. */
final class NamedCode {

    /** A name of a class that is not Hadoop's own: that one's version stands in the identity. */
    private static final Pattern CLASS_NAME =
            Pattern.compile("(?!org\\.apache\\.hadoop\\.|java\\.)([a-z_][\\w$]*\\.)+[A-Z][\\w$]*");

    private NamedCode() {}

    /** The class, if the value names one that can be found here. */
    static Optional<Class<?>> of(String value, Configuration conf) {
        if (!CLASS_NAME.matcher(value).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Class.forName(value, false, conf.getClassLoader()));
        } catch (ClassNotFoundException | LinkageError e) {
            // No class, or none that could be used: the value itself counts all the same.
            return Optional.empty();
        }
    }
}
