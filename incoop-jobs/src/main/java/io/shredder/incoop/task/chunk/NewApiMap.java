// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.chunk;

import io.shredder.incoop.config.OwnClasses;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.map.WrappedMapper;
import org.apache.hadoop.util.ReflectionUtils;

/** Maps a chunk with a mapper of the new API (setup, map, cleanup), as Hadoop's own map task maps a split. */
@SuppressWarnings("rawtypes")
final class NewApiMap {

    private static final MethodHandle SETUP = step("setup", Mapper.Context.class);
    private static final MethodHandle MAP = step("map", Object.class, Object.class, Mapper.Context.class);
    private static final MethodHandle CLEANUP = step("cleanup", Mapper.Context.class);

    private static final Class<?>[] RUN = {Mapper.Context.class};

    private final SetUps setUps;
    private final SetUps.ForChunk chunk;

    NewApiMap(SetUps setUps, SetUps.ForChunk chunk) {
        this.setUps = setUps;
        this.chunk = chunk;
    }

    void run(ChunkContext<Object, Object, Object, Object> context)
            throws IOException, InterruptedException, ClassNotFoundException {
        Mapper.Context view = new WrappedMapper<Object, Object, Object, Object>().getMapContext(context);
        try {
            run(view);
        } catch (IOException | InterruptedException | ClassNotFoundException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new UndeclaredThrowableException(e);
        }
    }

    @SuppressWarnings("unchecked")
    private void run(Mapper.Context view) throws Throwable {
        Class<?> type = OwnClasses.mapper(chunk.conf());
        if (runsByItself(type)) {
            make(type).run(view);
            return;
        }
        Mapper mapper = (Mapper) setUps.mapper(chunk, List.of(chunk.conf(), view), () -> {
            Mapper made = make(type);
            setUp(made, view);
            return made;
        });
        try {
            while (view.nextKeyValue()) {
                MAP.invokeExact(mapper, view.getCurrentKey(), view.getCurrentValue(), view);
            }
        } finally {
            CLEANUP.invokeExact(mapper, view);
        }
    }

    private Mapper make(Class<?> type) {
        Mapper mapper = (Mapper) ReflectionUtils.newInstance(type, chunk.conf());
        chunk.useSettings();
        return mapper;
    }

    private static void setUp(Mapper mapper, Mapper.Context view) throws IOException, InterruptedException {
        try {
            SETUP.invokeExact(mapper, view);
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new UndeclaredThrowableException(e);
        }
    }

    /** Whether its class does not leave it to Hadoop when to set up, map and clean up. */
    private static boolean runsByItself(Class<?> type) {
        try {
            for (Class<?> each = type; each != null; each = each.getSuperclass()) {
                if (each.equals(Mapper.class)) {
                    return false;
                }
                if (Arrays.stream(each.getDeclaredMethods()).anyMatch(NewApiMap::isRun)) {
                    return true;
                }
            }
        } catch (NoClassDefFoundError e) {
            // A class that it names, but need not use.
            return true;
        }
        return true;
    }

    private static boolean isRun(Method method) {
        return method.getName().equals("run") && Arrays.equals(method.getParameterTypes(), RUN);
    }

    private static MethodHandle step(String name, Class<?>... parameters) {
        try {
            return MethodHandles.privateLookupIn(Mapper.class, MethodHandles.lookup())
                    .findVirtual(Mapper.class, name, MethodType.methodType(void.class, parameters));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this is another Hadoop's Mapper: it has no " + name, e);
        }
    }
}
