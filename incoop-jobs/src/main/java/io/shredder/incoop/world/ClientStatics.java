// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.world;

import io.shredder.incoop.format.PositionWatch;
import io.shredder.incoop.memo.Dependency;
import io.shredder.incoop.watch.Installation;
import io.shredder.incoop.watch.JvmWatch;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;

/**
 * What the program that submits a job has put in the statics of the job's classes. A plain job in the client's process
 * finds it there; one on a cluster does not, nor does one in a {@link JobWorld}. So a job whose tasks use such a class
 * runs plainly, and a result remembers which classes were used. One thread.
 */
public final class ClientStatics {

    private static final String AS_NEW = "as new";
    private static final String SEPARATOR = ",";

    /** Hadoop's own, which keeps loggers and the process's environment in its statics. */
    private static final String STREAMING = "org.apache.hadoop.streaming.";

    /** Keeps the schemas in its statics that it has made of others, so as not to make them again. */
    private static final String AVRO_PAIR = "org.apache.avro.mapred.Pair";

    private final Configuration conf;
    private final ClassLoader client;
    private final JobCode code;
    private final Inside inside;
    private final Map<String, Optional<String>> known = new HashMap<>();

    /** @param conf of the job, or of a task in a {@link JobWorld} */
    public ClientStatics(Configuration conf) {
        Optional<JobWorld> world = JobWorld.around(conf);
        this.conf = conf;
        this.client = world.map(ClassLoader::getParent).orElse(conf.getClassLoader());
        this.code = world.map(WorldLoader::code).orElseGet(() -> new JobCode(conf));
        this.inside = Inside.forOtherThreads(code::contains);
    }

    /** What a result depends on that these classes have made, all of them as in a new JVM. */
    public static Dependency asNew(Collection<Class<?>> used) {
        Set<String> names = new TreeSet<>();
        used.forEach(type -> names.add(type.getName()));
        return new Dependency(Dependency.Kind.STATICS, String.join(SEPARATOR, names), AS_NEW);
    }

    /** The state of a dependency that {@link #asNew} has made. */
    String state(String names) {
        return changed(Set.of(names.split(SEPARATOR)))
                .map(name -> "changed: " + name)
                .orElse(AS_NEW);
    }

    /** The first of these classes whose statics are not what they are in a new JVM. */
    public Optional<String> changed(Collection<Class<?>> used) {
        Set<String> names = new HashSet<>();
        used.forEach(type -> names.add(type.getName()));
        return changed(names);
    }

    /** The first of all that were asked for. */
    Optional<String> changedSoFar() {
        return known.values().stream().flatMap(Optional::stream).findFirst();
    }

    /** Why a job runs plainly. */
    public static String reason(String className) {
        return "the program that submits it has changed static fields of " + className
                + ", or put something there that can't be compared, and tasks in JVMs of their own don't see it";
    }

    private Optional<String> changed(Set<String> names) {
        Set<String> unknown = new HashSet<>(names);
        unknown.removeAll(known.keySet());
        if (!unknown.isEmpty()) {
            Optional<String> changed = look(unknown);
            unknown.forEach(name -> known.put(name, Optional.empty()));
            changed.ifPresent(name -> known.put(name, changed));
        }
        return names.stream().map(known::get).flatMap(Optional::stream).findFirst();
    }

    private Optional<String> look(Set<String> names) {
        List<Class<?>> loaded = new ArrayList<>();
        for (ClassLoader each = client; each != null; each = each.getParent()) {
            for (Class<?> type : Installation.linkedIn(each)) {
                if (names.contains(type.getName()) && isLookedAt(type) && isInitialized(type)) {
                    loaded.add(type);
                }
            }
        }
        if (loaded.isEmpty()) {
            return Optional.empty();
        }
        JvmWatch.Watching watching = JvmWatch.watchLoaders();
        try (PositionWatch nowhere = new PositionWatch()) {
            Sightings nothingElse = new Sightings(conf, nowhere, LocalFiles.of(conf), false);
            return Statics.firstChanged(loaded, new WorldLoader(code, nothingElse), inside)
                    .map(Class::getName);
        } finally {
            watching.close();
        }
    }

    private boolean isLookedAt(Class<?> type) {
        String name = type.getName();
        return code.contains(type) && !name.startsWith(STREAMING) && !name.equals(AVRO_PAIR);
    }

    /** A class that nobody has initialized has nothing in its statics; looking at them would initialize it. */
    private static boolean isInitialized(Class<?> type) {
        try {
            Class<?> unsafe = Class.forName("sun.misc.Unsafe");
            Field instance = unsafe.getDeclaredField("theUnsafe");
            instance.setAccessible(true);
            return !(Boolean)
                    unsafe.getMethod("shouldBeInitialized", Class.class).invoke(instance.get(null), type);
        } catch (ClassNotFoundException
                | NoSuchFieldException
                | NoSuchMethodException
                | IllegalAccessException
                | InvocationTargetException e) {
            throw new IllegalStateException("this JVM does not say whether a class is initialized", e);
        }
    }
}
