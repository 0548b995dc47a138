// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.world;

import io.shredder.incoop.watch.Installation;
import io.shredder.incoop.watch.RunPlainly;
import io.shredder.incoop.world.Inside.Kind;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Compares what static fields reach in two loadings of the same classes, object by object. Alike means that it is sure:
 * whatever is of a kind whose inside is not known ({@link Inside}), or is too much to look at, is not alike.
 */
final class Statics {

    private static final int MOST_OBJECTS = 20_000;

    private final IdentityHashMap<Object, Object> pairs = new IdentityHashMap<>();
    private final IdentityHashMap<Object, Object> backwards = new IdentityHashMap<>();
    private final Deque<Pair> toCompare = new ArrayDeque<>();
    private final Inside inside;
    private int left = MOST_OBJECTS;

    private record Pair(Object one, Object other) {}

    private Statics(Inside inside) {
        this.inside = inside;
    }

    /**
     * The first class whose statics are not, for sure, as another loader has them, which loads it for this.
     *
     * @param inside looks into objects of the job's classes
     */
    static Optional<Class<?>> firstChanged(Collection<Class<?>> types, WorldLoader fresh, Inside inside) {
        Statics comparison = new Statics(inside);
        return types.stream()
                .filter(type -> !comparison.classAlike(type, fresh))
                .findFirst();
    }

    /**
     * All objects that the statics of classes reach, but for values and what lies in objects whose inside is not known.
     *
     * @throws RuntimeException if they can't be looked at, or are too many
     */
    static Set<Object> reached(Collection<Class<?>> types, Inside inside) throws IllegalAccessException {
        Set<Object> reached = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Object> next = new ArrayDeque<>();
        for (Class<?> type : types) {
            for (Field field : Inside.statics(type)) {
                reach(field.get(null), reached, next);
            }
        }
        while (!next.isEmpty()) {
            Object object = next.pop();
            Kind kind = inside.kind(object);
            if (kind == Kind.VALUE) {
                reached.remove(object);
            } else if (reached.size() - next.size() > MOST_OBJECTS) {
                throw new IllegalStateException("statics reach more than " + MOST_OBJECTS + " objects");
            } else if (object instanceof Object[] array) {
                for (Object each : array) {
                    reach(each, reached, next);
                }
            } else if (kind == Kind.FIELDS || kind == Kind.LAMBDA) {
                for (Field field : inside.fields(object.getClass())) {
                    reach(field.get(object), reached, next);
                }
            }
        }
        return reached;
    }

    private static void reach(@Nullable Object object, Set<Object> reached, Deque<Object> next) {
        if (object != null && reached.add(object)) {
            next.push(object);
        }
    }

    private boolean classAlike(Class<?> type, WorldLoader fresh) {
        try {
            Class<?> other = fresh.loadClass(type.getName());
            return !other.equals(type) && staticsAlike(type, other);
        } catch (ReflectiveOperationException | RuntimeException | LinkageError | RunPlainly e) {
            return false;
        }
    }

    private boolean staticsAlike(Class<?> type, Class<?> otherType) throws ReflectiveOperationException {
        for (Field field : Inside.statics(type)) {
            Field otherField = otherType.getDeclaredField(field.getName());
            Installation.open(otherField);
            // What a class was given as it was loaded is the same code both times.
            boolean mayBeLambda = Modifier.isFinal(field.getModifiers());
            if (!alike(field.get(null), otherField.get(null), mayBeLambda)) {
                return false;
            }
        }
        while (!toCompare.isEmpty()) {
            Pair pair = toCompare.pop();
            boolean alike = pair.one().getClass().isArray()
                    ? arraysAlike(pair.one(), pair.other())
                    : fieldsAlike(pair.one(), pair.other());
            if (!alike) {
                return false;
            }
        }
        return true;
    }

    /** Whether two are alike for all that is seen from outside; their insides are compared later. */
    private boolean alike(@Nullable Object one, @Nullable Object other, boolean mayBeLambda) {
        if (one == null || other == null) {
            return one == null && other == null;
        }
        Class<?> type = one.getClass();
        Kind kind = inside.kind(one);
        if (kind != Kind.LAMBDA && !type.getName().equals(other.getClass().getName())) {
            return false;
        }
        if (kind == Kind.VALUE) {
            return valuesAlike(one, other);
        }
        if (pairs.containsKey(one) || backwards.containsKey(other)) {
            return pairs.get(one) == other && backwards.get(other) == one;
        }
        if (--left < 0) {
            return false;
        }
        pairs.put(one, other);
        backwards.put(other, one);
        return switch (kind) {
            case ONE -> onesAlike(one, other);
            case ARRAY, FIELDS -> later(one, other);
            case LAMBDA -> mayBeLambda && inside.kind(other) == Kind.LAMBDA && later(one, other);
            default -> false;
        };
    }

    private static boolean valuesAlike(Object one, Object other) {
        if (one instanceof Pattern pattern) {
            return pattern.pattern().equals(((Pattern) other).pattern())
                    && pattern.flags() == ((Pattern) other).flags();
        }
        return one.equals(other);
    }

    private boolean onesAlike(Object one, Object other) {
        if (one instanceof Class<?> type) {
            return type.getName().equals(((Class<?>) other).getName());
        }
        if (one instanceof Enum<?> constant) {
            Enum<?> its = (Enum<?>) other;
            boolean isOfOneLoader = constant.getDeclaringClass().equals(its.getDeclaringClass());
            return isOfOneLoader ? constant.equals(its) : constant.name().equals(its.name()) && later(one, other);
        }
        return true;
    }

    private boolean later(Object one, Object other) {
        toCompare.push(new Pair(one, other));
        return true;
    }

    private boolean fieldsAlike(Object one, Object other) throws ReflectiveOperationException {
        List<Field> fields = inside.fields(one.getClass());
        List<Field> otherFields = inside.fields(other.getClass());
        if (fields.size() != otherFields.size()) {
            return false;
        }
        for (int i = 0; i < fields.size(); i++) {
            if (Inside.hasMeaning(fields.get(i))
                    && !alike(fields.get(i).get(one), otherFields.get(i).get(other), false)) {
                return false;
            }
        }
        return true;
    }

    private boolean arraysAlike(Object one, Object other) {
        int length = Array.getLength(one);
        if (length != Array.getLength(other) || length > left) {
            return false;
        }
        if (one.getClass().getComponentType().isPrimitive()) {
            left -= length;
            return Objects.deepEquals(one, other);
        }
        for (int i = 0; i < length; i++) {
            if (!alike(Array.get(one, i), Array.get(other, i), false)) {
                return false;
            }
        }
        return true;
    }
}
