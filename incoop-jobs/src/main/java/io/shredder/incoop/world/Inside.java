// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.world;

import io.shredder.incoop.watch.Installation;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapred.MapRunner;

/**
 * What is known of the inside of objects: which never change, which are what their fields say, and which nobody here
 * can look into. Safe for use by several threads.
 */
final class Inside {

    /** How an object of a class is to be taken. */
    enum Kind {
        /** It never changes, and its {@code equals} says what it is. */
        VALUE,
        /** One for all of its loader: a class, an enum's constant, a logger. */
        ONE,
        ARRAY,
        /** It is what its fields say. */
        FIELDS,
        /** A lambda: its fields say what it was given, not what it does. */
        LAMBDA,
        UNKNOWN
    }

    private static final Set<Class<?>> VALUES = Set.of(
            String.class,
            Boolean.class,
            Character.class,
            Byte.class,
            Short.class,
            Integer.class,
            Long.class,
            Float.class,
            Double.class,
            Pattern.class,
            java.math.BigInteger.class,
            java.math.BigDecimal.class,
            java.util.UUID.class,
            java.util.Locale.class,
            java.net.URI.class,
            java.io.File.class,
            org.apache.hadoop.fs.Path.class);

    /** Classes of the JDK, each with those inside it, whose fields say all. */
    private static final Set<String> OF_THE_JDK = Set.of(
            "java.lang.Object",
            "java.lang.AbstractStringBuilder",
            "java.lang.StringBuilder",
            "java.lang.StringBuffer",
            "java.util.AbstractCollection",
            "java.util.AbstractList",
            "java.util.AbstractMap",
            "java.util.AbstractQueue",
            "java.util.AbstractSequentialList",
            "java.util.AbstractSet",
            "java.util.ArrayDeque",
            "java.util.ArrayList",
            "java.util.Arrays",
            "java.util.BitSet",
            "java.util.Collections",
            "java.util.EnumMap",
            "java.util.EnumSet",
            "java.util.HashMap",
            "java.util.HashSet",
            "java.util.Hashtable",
            "java.util.ImmutableCollections",
            "java.util.LinkedHashMap",
            "java.util.LinkedHashSet",
            "java.util.LinkedList",
            "java.util.Optional",
            "java.util.PriorityQueue",
            "java.util.RegularEnumSet",
            "java.util.TreeMap",
            "java.util.TreeSet",
            "java.util.Vector",
            "java.util.concurrent.ConcurrentHashMap",
            "java.util.concurrent.atomic.AtomicBoolean",
            "java.util.concurrent.atomic.AtomicInteger",
            "java.util.concurrent.atomic.AtomicLong",
            "java.util.concurrent.atomic.AtomicReference");

    /** How often a collection was changed, and views of it that are made when first asked for. */
    private static final Set<String> OF_NO_MEANING =
            Set.of("modCount", "entrySet", "keySet", "values", "navigableKeySet", "descendingMap");

    private static final Set<Class<?>> OF_HADOOP = Set.of(Configured.class, MapRunner.class);
    private static final String HADOOP_IO = "org.apache.hadoop.io.";

    private final Predicate<Class<?>> isOwn;
    private final boolean ofOneThread;
    private final Map<Class<?>, Kind> kinds = new ConcurrentHashMap<>();
    private final Map<Class<?>, List<Field>> fields = new ConcurrentHashMap<>();

    private Inside(Predicate<Class<?>> isOwn, boolean ofOneThread) {
        this.isOwn = isOwn;
        this.ofOneThread = ofOneThread;
    }

    /** @param isOwn whether a class is the job's: its objects are what their fields say */
    static Inside of(Predicate<Class<?>> isOwn) {
        return new Inside(isOwn, false);
    }

    /** As other threads see it than the one that has put something there: they have thread-locals of their own. */
    static Inside forOtherThreads(Predicate<Class<?>> isOwn) {
        return new Inside(isOwn, true);
    }

    Kind kind(Object object) {
        return kinds.computeIfAbsent(object.getClass(), type -> kindOf(object, type));
    }

    private Kind kindOf(Object object, Class<?> type) {
        if (VALUES.contains(type)) {
            return Kind.VALUE;
        }
        if (object instanceof Class || object instanceof Enum || object instanceof Charset || isLogger(object)) {
            return Kind.ONE;
        }
        if (ofOneThread && object instanceof ThreadLocal && !(object instanceof InheritableThreadLocal)) {
            return type.getClassLoader() == null ? Kind.ONE : Kind.UNKNOWN;
        }
        if (type.isArray()) {
            return Kind.ARRAY;
        }
        if (type.isHidden()) {
            return isOwn.test(type) ? Kind.LAMBDA : Kind.UNKNOWN;
        }
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            if (!sayAll(each) && hasState(each)) {
                return Kind.UNKNOWN;
            }
        }
        return isOwn.test(type) || sayAll(type) ? Kind.FIELDS : Kind.UNKNOWN;
    }

    private boolean sayAll(Class<?> type) {
        String name = type.getName();
        int inner = name.indexOf('$');
        return isOwn.test(type)
                || OF_HADOOP.contains(type)
                || (name.startsWith(HADOOP_IO) && Writable.class.isAssignableFrom(type))
                || (type.getClassLoader() == null && OF_THE_JDK.contains(inner < 0 ? name : name.substring(0, inner)));
    }

    private static boolean hasState(Class<?> type) {
        for (Field field : type.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isLogger(Object object) {
        return object instanceof org.slf4j.Logger
                || object instanceof org.apache.commons.logging.Log
                || object instanceof java.util.logging.Logger
                || object.getClass().getName().startsWith("org.apache.log4j.");
    }

    /**
     * The fields of a class's objects, those of superclasses included; of an enum's constants, those that the job has
     * given them.
     *
     * @throws RuntimeException if they can't be had
     */
    List<Field> fields(Class<?> of) {
        return fields.computeIfAbsent(of, type -> {
            List<Field> all = new ArrayList<>();
            for (Class<?> each = type; each != null && each != Enum.class; each = each.getSuperclass()) {
                for (Field field : each.getDeclaredFields()) {
                    if (!Modifier.isStatic(field.getModifiers())) {
                        Installation.open(field);
                        all.add(field);
                    }
                }
            }
            return all;
        });
    }

    /** Whether a field says something of an object that its user can see. */
    static boolean hasMeaning(Field field) {
        return field.getDeclaringClass().getClassLoader() != null || !OF_NO_MEANING.contains(field.getName());
    }

    /** The static fields that a class declares. */
    static List<Field> statics(Class<?> type) {
        List<Field> all = new ArrayList<>();
        for (Field field : type.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers())) {
                Installation.open(field);
                all.add(field);
            }
        }
        return all;
    }
}
