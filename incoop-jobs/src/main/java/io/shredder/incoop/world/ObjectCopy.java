// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.world;

import io.shredder.incoop.world.Inside.Kind;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;
import org.apache.hadoop.io.Writable;
import org.jspecify.annotations.Nullable;

/**
 * A copy of an object and of all that it reaches, so exact that nobody who has only the copy can tell: field by field,
 * no constructor runs, a hash table has the same number of places. What never changes is not copied. One thread, one
 * copy.
 */
final class ObjectCopy {

    /** Beyond this, a copy beside the original could be more than the task's memory has room for. */
    private static final int MOST_OBJECTS = 300_000;

    private static final int MOST_NUMBERS = 8 << 20;

    private static final Set<String> HASHED_ARRAYS =
            Set.of("java.util.ImmutableCollections$SetN", "java.util.ImmutableCollections$MapN");

    private final Inside inside;
    private final Set<Object> forbidden;
    private final IdentityHashMap<Object, Object> copies;
    private final Deque<Object> unfilled = new ArrayDeque<>();
    private int objects = MOST_OBJECTS;
    private int numbers = MOST_NUMBERS;

    /** There is an object that can't be copied for sure. */
    static final class NotCopiedException extends Exception {

        private static final long serialVersionUID = 1;

        NotCopiedException(String message) {
            super(message);
        }

        NotCopiedException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /**
     * For one copy.
     *
     * @param forbidden objects that others share, by identity
     * @param replacements what stands in the copy for objects of the original, by identity; changed
     */
    ObjectCopy(Inside inside, Set<Object> forbidden, IdentityHashMap<Object, Object> replacements) {
        this.inside = inside;
        this.forbidden = forbidden;
        this.copies = replacements;
    }

    /** The copy. */
    Object of(Object original) throws NotCopiedException {
        try {
            Object copy = copy(original);
            while (!unfilled.isEmpty()) {
                fill(unfilled.pop());
            }
            return copy;
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new NotCopiedException(e.toString(), e);
        }
    }

    private @Nullable Object copyOrNull(@Nullable Object original)
            throws ReflectiveOperationException, NotCopiedException {
        return original == null ? null : copy(original);
    }

    private Object copy(Object original) throws ReflectiveOperationException, NotCopiedException {
        Object known = copies.get(original);
        if (known != null) {
            return known;
        }
        Kind kind = inside.kind(original);
        if (kind == Kind.VALUE || kind == Kind.ONE) {
            return original;
        }
        Class<?> type = original.getClass();
        if (kind == Kind.LAMBDA && inside.fields(type).isEmpty()) {
            return original;
        }
        if (forbidden.contains(original)) {
            throw new NotCopiedException("static fields share its " + type.getName());
        }
        if (--objects < 0) {
            throw new NotCopiedException("it holds more than " + MOST_OBJECTS + " objects");
        }
        Object copy;
        if (kind == Kind.ARRAY) {
            copy = emptyArray(original);
        } else if (kind == Kind.FIELDS && !type.isRecord()) {
            copy = unmade(type);
        } else {
            throw new NotCopiedException("its " + type.getName() + " can't be looked into");
        }
        copies.put(original, copy);
        unfilled.push(original);
        return copy;
    }

    private Object emptyArray(Object original) throws NotCopiedException {
        int length = Array.getLength(original);
        numbers -= length;
        if (numbers < 0) {
            throw new NotCopiedException("its arrays are longer than " + MOST_NUMBERS);
        }
        return Array.newInstance(original.getClass().getComponentType(), length);
    }

    /** An object of a class with nothing in its fields. */
    static Object unmade(Class<?> type) throws NotCopiedException {
        try {
            return constructorOf(type).newInstance();
        } catch (ReflectiveOperationException e) {
            throw new NotCopiedException(e.toString(), e);
        }
    }

    private static Constructor<?> constructorOf(Class<?> type) throws ReflectiveOperationException {
        Class<?> factory = Class.forName("sun.reflect.ReflectionFactory");
        Object instance = factory.getMethod("getReflectionFactory").invoke(null);
        return (Constructor<?>) factory.getMethod("newConstructorForSerialization", Class.class, Constructor.class)
                .invoke(instance, type, Object.class.getDeclaredConstructor());
    }

    private void fill(Object original) throws ReflectiveOperationException, NotCopiedException {
        Object copy = copies.get(original);
        if (original instanceof Object[] array) {
            for (int i = 0; i < array.length; i++) {
                Array.set(copy, i, copyOrNull(array[i]));
            }
        } else if (original.getClass().isArray()) {
            System.arraycopy(original, 0, copy, 0, Array.getLength(original));
        } else {
            for (Field field : inside.fields(original.getClass())) {
                Object value = field.get(original);
                checkKeys(field, value);
                field.set(copy, field.getType().isPrimitive() ? value : copyOrNull(value));
            }
        }
    }

    /**
     * A copy lies in another place of a hash table than its original, unless what it is made of says in which. The
     * JDK's tables are known; an array in a class of anybody else's may be one.
     */
    private void checkKeys(Field field, @Nullable Object value) throws NotCopiedException {
        Class<?> holder = field.getDeclaringClass();
        boolean isJdks = holder.getClassLoader() == null;
        if (value instanceof Object[] keys && (!isJdks || HASHED_ARRAYS.contains(holder.getName()))) {
            checkEach(keys);
        } else if (isJdks && field.getName().equals("key")) {
            checkKey(value);
        }
    }

    private void checkEach(Object[] keys) throws NotCopiedException {
        for (Object key : keys) {
            if (key instanceof Object[] inner) {
                checkEach(inner);
            } else if (key != null && !key.getClass().isArray()) {
                checkKey(key);
            }
        }
    }

    private void checkKey(@Nullable Object key) throws NotCopiedException {
        if (key == null || isHadoops(key)) {
            return;
        }
        Kind kind = inside.kind(key);
        if (kind != Kind.VALUE && kind != Kind.ONE) {
            throw new NotCopiedException(
                    "it has objects of " + key.getClass().getName() + " in what may be a hash table");
        }
    }

    private static boolean isHadoops(Object key) {
        return key instanceof Writable && key.getClass().getName().startsWith("org.apache.hadoop.io.");
    }
}
