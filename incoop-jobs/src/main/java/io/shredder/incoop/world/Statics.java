// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.world;

import io.shredder.incoop.watch.RunPlainly;
import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.Writable;
import org.jspecify.annotations.Nullable;

/**
 * Compares what static fields reach in two loadings of the same classes, object by object. Alike means that it is sure: whatever is
 * of a kind whose inside is not known, or is too much to look at, is not alike.
 */
final class Statics {

    private static final int MOST_OBJECTS = 20_000;

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
            java.math.BigInteger.class,
            java.math.BigDecimal.class,
            java.util.UUID.class,
            java.util.Locale.class,
            java.net.URI.class,
            java.io.File.class,
            org.apache.hadoop.fs.Path.class);

    private final IdentityHashMap<Object, Object> pairs = new IdentityHashMap<>();
    private final Predicate<Class<?>> isOwn;
    private int left = MOST_OBJECTS;

    private Statics(Predicate<Class<?>> isOwn) {
        this.isOwn = isOwn;
    }

    /**
     * The first class whose statics are not, for sure, as another loader has them, which loads it for this.
     *
     * @param isOwn whether a class is the job's: its objects are looked into
     */
    static Optional<Class<?>> firstChanged(Collection<Class<?>> types, WorldLoader fresh, Predicate<Class<?>> isOwn) {
        Statics comparison = new Statics(isOwn);
        return types.stream()
                .filter(type -> !comparison.classAlike(type, fresh))
                .findFirst();
    }

    /** Whether the statics of the classes that one loader has defined are as another one's, which loads them for this. */
    static boolean areAlike(WorldLoader used, WorldLoader fresh) {
        return firstChanged(used.defined(), fresh, type -> type.getClassLoader() instanceof WorldLoader)
                .isEmpty();
    }

    private boolean classAlike(Class<?> type, WorldLoader fresh) {
        try {
            Class<?> other = fresh.loadClass(type.getName());
            return !other.equals(type) && fieldsAlike(type, null, other, null, true);
        } catch (ReflectiveOperationException | RuntimeException | IOException | LinkageError | RunPlainly e) {
            return false;
        }
    }

    private boolean fieldsAlike(
            Class<?> type, @Nullable Object one, Class<?> otherType, @Nullable Object other, boolean statics)
            throws ReflectiveOperationException, IOException {
        for (Field field : type.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) == statics) {
                Field otherField = otherType.getDeclaredField(field.getName());
                field.setAccessible(true);
                otherField.setAccessible(true);
                if (!alike(field.get(one), otherField.get(other))) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean alike(@Nullable Object one, @Nullable Object other)
            throws ReflectiveOperationException, IOException {
        if (one == null || other == null) {
            return one == null && other == null;
        }
        if (--left < 0) {
            return false;
        }
        if (pairs.containsKey(one)) {
            return pairs.get(one) == other;
        }
        pairs.put(one, other);
        Class<?> type = one.getClass();
        if (!type.getName().equals(other.getClass().getName()) && !type.isHidden()) {
            return false;
        }
        if (VALUES.contains(type)) {
            return one.equals(other);
        }
        if (type.isArray()) {
            return arraysAlike(one, other);
        }
        if (one instanceof Enum<?> constant && !isOwn.test(type)) {
            return constant.equals(other);
        }
        if (isOwn.test(type)) {
            return ownAlike(one, other);
        }
        return foreignAlike(one, other);
    }

    /** Objects of the job's classes, or lambdas of theirs: field by field, those of superclasses included. */
    private boolean ownAlike(Object one, Object other) throws ReflectiveOperationException, IOException {
        Class<?> otherType = other.getClass();
        for (Class<?> type = one.getClass(); type != null; type = type.getSuperclass()) {
            if (otherType == null || isForeignState(type)) {
                return false;
            }
            if (type != Object.class && !fieldsAlike(type, one, otherType, other, false)) {
                return false;
            }
            otherType = otherType.getSuperclass();
        }
        return true;
    }

    /** Whether a superclass that is not the job's has fields, whose meaning isn't known. */
    private boolean isForeignState(Class<?> type) {
        boolean foreign = !isOwn.test(type) && type != Object.class && type != Enum.class;
        return foreign
                && Arrays.stream(type.getDeclaredFields()).anyMatch(field -> !Modifier.isStatic(field.getModifiers()));
    }

    private boolean foreignAlike(Object one, Object other) throws ReflectiveOperationException, IOException {
        if (one instanceof Class<?> type) {
            return type.getName().equals(((Class<?>) other).getName());
        }
        if (one instanceof Pattern pattern) {
            return pattern.pattern().equals(((Pattern) other).pattern())
                    && pattern.flags() == ((Pattern) other).flags();
        }
        if (one instanceof Charset || isLogger(one)) {
            return true;
        }
        if (one instanceof Writable writable && one.getClass().getName().startsWith("org.apache.hadoop.io.")) {
            return Arrays.equals(bytes(writable), bytes((Writable) other));
        }
        boolean isJdks = one.getClass().getClassLoader() == null
                && one.getClass().getName().startsWith("java.util.");
        if (isJdks && one instanceof Collection<?> collection) {
            return elementsAlike(collection.iterator(), ((Collection<?>) other).iterator());
        }
        if (isJdks && one instanceof Map<?, ?> map) {
            return elementsAlike(
                            map.keySet().iterator(),
                            ((Map<?, ?>) other).keySet().iterator())
                    && elementsAlike(
                            map.values().iterator(),
                            ((Map<?, ?>) other).values().iterator());
        }
        return one.getClass() == Object.class;
    }

    private static boolean isLogger(Object object) {
        return object instanceof org.slf4j.Logger
                || object instanceof org.apache.commons.logging.Log
                || object instanceof java.util.logging.Logger
                || object.getClass().getName().startsWith("org.apache.log4j.");
    }

    private boolean elementsAlike(Iterator<?> one, Iterator<?> other) throws ReflectiveOperationException, IOException {
        while (one.hasNext() && other.hasNext()) {
            if (!alike(one.next(), other.next())) {
                return false;
            }
        }
        return !one.hasNext() && !other.hasNext();
    }

    private boolean arraysAlike(Object one, Object other) throws ReflectiveOperationException, IOException {
        int length = Array.getLength(one);
        if (length != Array.getLength(other) || length > left) {
            return false;
        }
        if (one.getClass().getComponentType().isPrimitive()) {
            left -= length;
            return Objects.deepEquals(one, other);
        }
        for (int i = 0; i < length; i++) {
            if (!alike(Array.get(one, i), Array.get(other, i))) {
                return false;
            }
        }
        return true;
    }

    private static byte[] bytes(Writable writable) throws IOException {
        DataOutputBuffer out = new DataOutputBuffer();
        writable.write(out);
        return Arrays.copyOf(out.getData(), out.getLength());
    }
}
