// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact;

import java.io.IOException;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.io.WritableComparator;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * Classes that Hadoop remembers for as long as a process lives. A process that runs thousands of programs, each in a
 * class loader of its own, would keep the statics of them all, tables of many megabytes among them.
 */
final class HadoopCaches {
    private HadoopCaches() {}

    /** Forgets the classes of a class loader. */
    static void forget(ClassLoader loader) throws IOException {
        forget(ReflectionUtils.class, "CONSTRUCTOR_CACHE", loader);
        forget(WritableComparator.class, "comparators", loader);
    }

    private static void forget(Class<?> owner, String field, ClassLoader loader) throws IOException {
        try {
            Field cache = owner.getDeclaredField(field);
            cache.setAccessible(true);
            Map<?, ?> byClass = (Map<?, ?>) Objects.requireNonNull(cache.get(null));
            byClass.keySet().removeIf(type -> type instanceof Class<?> c && c.getClassLoader() == loader);
        } catch (ReflectiveOperationException e) {
            throw new IOException("this Hadoop's " + owner.getName() + " has no " + field, e);
        }
    }
}
